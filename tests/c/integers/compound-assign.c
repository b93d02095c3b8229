//@ property: all verdict: safe
//@ run: gcc
// `a op= b` computes in the common type and converts back; the left operand is evaluated once.
#include <stdio.h>

static int calls;
static int *at(int *a, int i) {
    calls++;
    return a + i;
}

int main(void) {
    char c = 100;
    c += 100;
    printf("%d\n", c);
    unsigned char u = 10;
    u -= 20;
    printf("%d\n", u);
    u /= 3;
    u *= 2.5;
    printf("%d\n", u);
    int i = 7;
    i *= 1.5;
    printf("%d\n", i);
    i /= 0.3f;
    printf("%d\n", i);
    i += 0.99;
    printf("%d\n", i);
    unsigned x = 5;
    x /= -1;
    printf("%u\n", x);
    int y = -8;
    y /= 3u;
    printf("%d\n", y);
    long long l = 1;
    l <<= 40;
    l |= 0xff;
    l ^= 0x0f;
    l &= ~(1ll << 40) | 1ll << 40;
    printf("%lld\n", l);
    short s = 1000;
    s *= s;
    printf("%d\n", s);
    int a[3] = {1, 2, 3};
    *at(a, 1) += 40;
    (*at(a, 2))++;
    printf("%d %d %d calls %d\n", a[0], a[1], a[2], calls);
    int v = 2, w = 3;
    int z = v += w *= 3;
    printf("%d %d %d\n", v, w, z);
    double d = 10;
    d -= 1 / 2;
    d /= 4;
    printf("%g\n", d);
    return 0;
}
