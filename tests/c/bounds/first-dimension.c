//@ property: all verdict: safe
//@ property: out-of-bounds verdict: unsafe line: 9
// The address of an element of the row past the end: the row itself would be used.
static int grid[3][4];

int main(void) {
    int i = 3;
    int *past = grid[i];
    int *wrong = &grid[i][0];
    return past != wrong;
}
