//@ property: all verdict: safe
//@ run: gcc
// Determinants, inverses by Gauss-Jordan with exact fractions, on heap matrices.
#include <stdio.h>
#include <stdlib.h>

typedef struct { long num, den; } frac;
typedef struct { int n; frac at[]; } matrix;
#define M(m, i, j) ((m)->at[(i) * (m)->n + (j)])

static long gcd(long a, long b) { return b ? gcd(b, a % b) : a < 0 ? -a : a; }
static frac make(long n, long d) {
    long g = gcd(n, d);
    if (d < 0)
        g = -g;
    return (frac){n / g, d / g};
}
static frac sub(frac a, frac b) { return make(a.num * b.den - b.num * a.den, a.den * b.den); }
static frac mul(frac a, frac b) { return make(a.num * b.num, a.den * b.den); }
static frac inv(frac a) { return make(a.den, a.num); }
static matrix *fresh(int n) {
    matrix *m = malloc(sizeof *m + n * n * sizeof *m->at);
    m->n = n;
    for (int i = 0; i < n * n; i++)
        m->at[i] = (frac){i % (n + 1) == 0, 1};
    return m;
}
static frac invert(matrix *a, matrix *out) {
    frac det = {1, 1};
    for (int c = 0; c < a->n; c++) {
        int pivot = c;
        while (pivot < a->n && M(a, pivot, c).num == 0)
            pivot++;
        if (pivot == a->n)
            return (frac){0, 1};
        if (pivot != c) {
            det.num = -det.num;
            for (int j = 0; j < a->n; j++) {
                frac t = M(a, c, j); M(a, c, j) = M(a, pivot, j); M(a, pivot, j) = t;
                t = M(out, c, j); M(out, c, j) = M(out, pivot, j); M(out, pivot, j) = t;
            }
        }
        frac scale = inv(M(a, c, c));
        det = mul(det, M(a, c, c));
        for (int j = 0; j < a->n; j++) {
            M(a, c, j) = mul(M(a, c, j), scale);
            M(out, c, j) = mul(M(out, c, j), scale);
        }
        for (int i = 0; i < a->n; i++) {
            frac f = M(a, i, c);
            for (int j = 0; i != c && j < a->n; j++) {
                M(a, i, j) = sub(M(a, i, j), mul(f, M(a, c, j)));
                M(out, i, j) = sub(M(out, i, j), mul(f, M(out, c, j)));
            }
        }
    }
    return det;
}

int main(void) {
    int values[3][3] = {{0, 2, 3}, {4, -5, 6}, {7, 8, 9}};
    matrix *a = fresh(3), *b = fresh(3);
    for (int i = 0; i < 9; i++)
        a->at[i] = (frac){values[i / 3][i % 3], 1};
    frac det = invert(a, b);
    printf("%ld/%ld\n", det.num, det.den);
    for (int i = 0; i < 9; i++)
        printf("%ld/%ld%c", b->at[i].num, b->at[i].den, " \n"[i % 3 == 2]);
    free(a);
    free(b);
    return 0;
}
