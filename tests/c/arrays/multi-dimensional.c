//@ property: all verdict: safe
//@ run: gcc
// Arrays of arrays: row-major order, partial indexing, pointers to rows.
#include <stdio.h>

static int grid[3][4] = {{1, 2, 3, 4}, {5, 6}, [2][3] = 12};
static char cube[2][3][5] = {{"ab", "cd"}, {"efgh", {'x'}, "z"}};

static int row_sum(const int row[4]) {
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += row[i];
    return s;
}
static int trace(int n, int m[][4]) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += m[i][i];
    return s;
}

int main(void) {
    printf("%zu %zu %zu\n", sizeof grid, sizeof grid[0], sizeof grid[0][0]);
    for (int i = 0; i < 3; i++)
        printf("%d ", row_sum(grid[i]));
    printf("%d\n", trace(3, grid));
    int(*row)[4] = grid;
    row++;
    printf("%d %d %d\n", (*row)[1], row[1][3], row[-1][2]);
    int *flat = &grid[0][0];
    printf("%d %d\n", flat[1], *(*(grid + 1) + 1));
    printf("%td %td\n", &grid[2][1] - &grid[2][0], &grid[2] - &grid[0]);
    printf("%s %s %s %c %s\n", cube[0][0], cube[0][1], cube[1][0], cube[1][1][0], cube[1][2]);
    printf("%zu %d\n", sizeof cube[1], cube[0][2][0]);
    int(*whole)[3][4] = &grid;
    (*whole)[0][0] = 100;
    printf("%d %td\n", grid[0][0], (char *)(whole + 1) - (char *)whole);
    int a[2][2] = {1, 2, 3};
    printf("%d%d%d%d\n", a[0][0], a[0][1], a[1][0], a[1][1]);
    int product[2][2] = {0};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                product[i][j] += a[i][k] * a[k][j];
    printf("%d %d %d %d\n", product[0][0], product[0][1], product[1][0], product[1][1]);
    return 0;
}
