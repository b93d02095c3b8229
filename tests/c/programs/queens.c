//@ property: all verdict: safe
//@ run: gcc
// Eight queens three ways: by recursion on bit masks, by permutation, by an explicit stack.
#include <stdio.h>

static int masks(unsigned cols, unsigned left, unsigned right, int n) {
    unsigned full = (1u << n) - 1;
    if (cols == full)
        return 1;
    int count = 0;
    for (unsigned free = full & ~(cols | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += masks(cols | bit, (left | bit) << 1, (right | bit) >> 1, n);
    }
    return count;
}
static int safe(const int *q, int row) {
    for (int i = 0; i < row; i++)
        if (q[i] == q[row] || q[row] - q[i] == row - i || q[i] - q[row] == row - i)
            return 0;
    return 1;
}
static int stacked(int n, int *first) {
    int q[12], row = 0, count = 0;
    q[0] = -1;
    while (row >= 0) {
        if (++q[row] == n) {
            row--;
            continue;
        }
        if (!safe(q, row))
            continue;
        if (row == n - 1) {
            if (!count++)
                for (int i = 0; i < n; i++)
                    first[i] = q[i];
        } else {
            q[++row] = -1;
        }
    }
    return count;
}

int main(void) {
    for (int n = 1; n <= 6; n++) {
        int first[12];
        int a = masks(0, 0, 0, n), b = stacked(n, first);
        printf("%d: %d %d", n, a, b);
        for (int i = 0; b && i < n; i++)
            printf(" %d", first[i]);
        puts("");
    }
    return 0;
}

//@ known: explicit deadlock unknown(cut)
