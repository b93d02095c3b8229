//@ property: all verdict: safe
//@ run: gcc
// Constant expressions of every kind in static initialisers.
#include <stdio.h>

enum { A = 3, B = A * A - 1, C = -A % 2 };
static int i1 = (1 << 10) | 0x0f, i2 = -7 / 2, i3 = -7 % 3, i4 = ~0u >> 28;
static int i5 = 1 ? 5 : 1 / 1, i6 = sizeof(long) * 2, i7 = 'a' + 1, i8 = !5 + !0;
static long l1 = 2147483647 + 1l, l2 = (int)3.99, l3 = -1u, l4 = (char)200;
static unsigned u1 = -1, u2 = 1.5 * 3;
static double d1 = 1 / 3, d2 = 1 / 3.0, d3 = (float)0.1, d4 = 0.1f + 0.2f, d5 = -0.0;
static float f1 = 0.1, f2 = 16777217;
static _Bool b1 = 0.3, b2 = 256, b3 = &b1;
static unsigned char c1 = 300, c2 = -1;
static long long ll = (1ull << 63) - 1 > 0 && 0x7fffffffffffffff > 0 ? B : C;
static unsigned __int128 wide = (unsigned __int128)-1 / 3;
static int cmp = (-1 < 0u) * 4 + (-1 < 0) * 2 + (3 > 2 > 1);
static int comma = __builtin_choose_expr(sizeof(int) == 4, 11, "no");
static double mixed[] = {1, 2.5f, 'c', A, (char)-1, 1e-3};
static const int folded = B == 8 ? sizeof(char[B]) : 0;

int main(void) {
    printf("%d %d %d %d %d %d %d %d\n", i1, i2, i3, i4, i5, i6, i7, i8);
    printf("%ld %ld %ld %ld %u %u\n", l1, l2, l3, l4, u1, u2);
    printf("%a %a %a %a %a\n", d1, d2, d3, d4, d5);
    printf("%a %a %d %d %d %d %d\n", f1, f2, b1, b2, b3, c1, c2);
    printf("%lld %lx %lx\n", ll, (unsigned long)(wide >> 64), (unsigned long)wide);
    printf("%d %d %d\n", cmp, comma, folded);
    for (int i = 0; i < 6; i++)
        printf("%g ", mixed[i]);
    printf("\n%d %d %d\n", A, B, C);
    return 0;
}
