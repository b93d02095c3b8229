//@ property: all verdict: safe
//@ run: gcc
// Values are converted as if by assignment when passed and returned.
#include <stdio.h>

static long widen(unsigned char c) { return c; }
static unsigned unsign(int x) { return x; }
static signed char shrink(long x) { return x; }
static _Bool truth(int x) { return x; }
static int trunc_to_int(double x) { return x; }
static float to_float(int x) { return x; }
static unsigned long long to_ull(int x) { return x; }
enum level { LOW, HIGH = 7 };
static enum level to_enum(int x) { return x; }

int main(void) {
    printf("%ld\n", widen(0x1ff));
    printf("%u\n", unsign(-1));
    printf("%d\n", shrink(0x17f));
    printf("%d\n", shrink(0x180));
    printf("%d\n", truth(1 << 30));
    printf("%d\n", trunc_to_int(-3.7));
    printf("%.1f\n", to_float(16777217));
    printf("%llu\n", to_ull(-1));
    printf("%d\n", to_enum(3) + HIGH);
    long (*as_pointer)(unsigned char) = widen;
    printf("%ld\n", as_pointer(-1));
    unsigned char c = shrink(-1);
    printf("%d\n", c);
    short s = to_ull(70000);
    printf("%d\n", s);
    return 0;
}
