//@ property: all verdict: safe
//@ property: out-of-bounds verdict: unsafe line: 9
// The second subscript leaves its row; the object is large enough.
static int grid[3][4];

int main(void) {
    int sum = 0;
    for (int j = 0; j <= 4; j++)
        sum += grid[1][j];
    return sum;
}
