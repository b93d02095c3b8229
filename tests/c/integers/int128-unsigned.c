//@ property: all verdict: safe
//@ run: gcc
// unsigned __int128: wrap, multiplication, division, shifts across the halves.
#include <stdio.h>

typedef unsigned __int128 u128;

static void show(const char *what, u128 x) {
    printf("%-6s %016llx%016llx\n", what, (unsigned long long)(x >> 64), (unsigned long long)x);
}

static void decimal(u128 x) {
    char text[40];
    int at = sizeof text - 1;
    text[at] = 0;
    do {
        text[--at] = '0' + (int)(x % 10);
        x /= 10;
    } while (x);
    puts(text + at);
}

int main(void) {
    u128 max = ~(u128)0;
    u128 a = ((u128)0x0123456789abcdefull << 64) | 0xfedcba9876543210ull;
    show("max", max);
    show("wrap", max + 2);
    show("a*a", a * a);
    show("a/7", a / 7);
    show("a%%m", a % 1000000007);
    show("big/", max / a);
    show("big%", max % a);
    for (int s = 0; s < 128; s += 21) {
        show("shl", a << s);
        show("shr", a >> s);
    }
    decimal(max);
    decimal(0);
    decimal(a);
    printf("%d %d\n", a < max, (u128)-1 == max);
    printf("%zu\n", sizeof(u128));
    return 0;
}
