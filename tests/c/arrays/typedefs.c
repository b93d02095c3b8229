//@ property: all verdict: safe
//@ run: gcc
// typedefs of arrays: qualifiers go to the elements, parameters decay, nesting order.
#include <stdio.h>

typedef int row[3];
typedef row matrix[2];
typedef const char *names[];

static int sum(const row r) { return r[0] + r[1] + r[2]; }
static size_t decayed(row r) { return sizeof r; }
static int corner(matrix m) { return m[1][2]; }
static row *second(matrix *m) { return &(*m)[1]; }

int main(void) {
    matrix m = {{1, 2, 3}, {4, 5, 6}};
    const row fixed = {7, 8, 9};
    names list = {"a", "b"};
    printf("%zu %zu %zu\n", sizeof(row), sizeof(matrix), sizeof list / sizeof *list);
    printf("%d %d\n", sum(m[1]), sum(fixed));
    printf("%zu %d\n", decayed(m[0]), corner(m));
    (*second(&m))[0] = 40;
    printf("%d\n", m[1][0]);
    row *rows = m;
    rows++;
    printf("%d\n", (*rows)[1]);
    matrix *whole = &m;
    printf("%d %td\n", whole[0][1][2], (char *)(whole + 1) - (char *)whole);
    row *pointers[2] = {&m[1], &m[0]};
    printf("%d\n", (*pointers[1])[2]);
    struct { matrix m; row r; } s = {{{1}, {2}}, {3}}, t = s;
    t.m[1][0] = 20;
    printf("%d %d %d\n", s.m[1][0], t.m[1][0], t.r[0]);
    typedef int *ptr;
    const ptr p = &m[0][0];
    *p = 11;
    printf("%d\n", m[0][0]);
    return 0;
}
