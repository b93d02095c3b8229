//@ property: out-of-bounds verdict: unsafe line: 7
// A variable-length array indexed by the other dimension.
static int fill(int rows, int cols) {
    int m[rows][cols];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            m[j][i] = i + j;
    return m[0][0];
}

int main(void) {
    if (fill(3, 3))
        return 1;
    return fill(2, 4);
}
