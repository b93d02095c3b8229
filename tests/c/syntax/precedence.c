//@ property: all verdict: safe
//@ run: gcc
// Operator precedence and associativity where mistakes are common.
#include <stdio.h>

int main(void) {
    int a = 6, b = 3, c = 2, p[] = {10, 20, 30}, *q = p;
    printf("%d %d %d\n", a - b - c, a / b / c, a - b + c);
    printf("%d %d %d\n", 1 << 2 + 1, 1 << 2 << 1, 64 >> 2 >> 1);
    printf("%d %d\n", a & b == b, (a & b) == b);
    printf("%d %d %d\n", a | b & c ^ a, 1 | 6 ^ 3 & 2, !a == b);
    printf("%d %d\n", 5 > 4 > 3, 1 < 3 == 1);
    printf("%d %d\n", 1 || 0 && 0, (1 || 0) && 0);
    printf("%d %d\n", a ? b : c ? 100 : 200, (a ? b : c) ? 100 : 200);
    printf("%d\n", 0 ? 1 : 0 ? 2 : 3);
    int x, y;
    x = y = 5;
    x += y -= 2;
    printf("%d %d\n", x, y);
    x = 1, y = 2;
    printf("%d %d\n", -x + y, - -x);
    printf("%d %d\n", ~x & 0xf, !x + 1);
    printf("%d ", *q++ + 1);
    printf("%d ", (*q)++);
    printf("%d ", -*q);
    printf("%d\n", *++q);
    printf("%d %d\n", *&p[1], *p + 1);
    printf("%d %d\n", sizeof(char) + 1 == 2, (int)sizeof(char)-1);
    printf("%d %d\n", (char)257 + 1, -(char)1 * 2);
    printf("%d\n", x ? y, y : 0);
    printf("%d\n", (x, y) * 2);
    printf("%d\n", a % 4 * 3);
    printf("%d\n", a * 3 % 4);
    int z = a > b ? a - b : b - a;
    z <<= 1 + 1;
    printf("%d\n", z);
    printf("%d\n", 10 - 2 * 3 + 8 / 4 % 3);
    y = x == 1 && y != 3 || z < 0;
    printf("%d\n", y);
    return 0;
}
