//@ property: all verdict: safe
//@ run: gcc
// Variable rows and columns, as locals, as parameters, behind pointers.
#include <stdio.h>
#include <stdlib.h>

static void fill(int rows, int cols, int m[rows][cols], int start) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            m[i][j] = start + i * cols + j;
}
static int column(int rows, int cols, int (*m)[cols], int j) {
    int s = 0;
    for (int i = 0; i < rows; i++)
        s += m[i][j];
    return s;
}
static void transpose(int n, int m, int in[n][m], int out[m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[j][i] = in[i][j];
}

int main(void) {
    int r = 3, c = 4;
    int m[r][c], t[c][r];
    fill(r, c, m, 10);
    transpose(r, c, m, t);
    printf("%d %d %d\n", m[2][3], t[3][2], t[1][0]);
    printf("%d %d\n", column(r, c, m, 0), column(c, r, t, 2));
    printf("%zu %zu %zu\n", sizeof m, sizeof m[0], sizeof t[0]);
    int(*heap)[c] = malloc(sizeof(int[2][c]));
    fill(2, c, heap, 0);
    printf("%d %td\n", heap[1][3], (char *)(heap + 1) - (char *)heap);
    free(heap);
    int(*p)[r][c] = &m;
    (*p)[0][0] = -1;
    printf("%d %zu\n", m[0][0], sizeof *p);
    int fixed[2][c];
    fill(2, c, fixed, 5);
    printf("%d %td\n", fixed[1][0], &fixed[1][1] - &fixed[0][0]);
    return 0;
}
