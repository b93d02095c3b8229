//@ property: all verdict: safe
//@ run: gcc
// Fields wider than int: gcc gives them an integer type of exactly their width.
#include <stdio.h>

struct wide { unsigned long long u : 40; long long s : 40; unsigned long long all : 64; };

int main(void) {
    struct wide w = {0xffffffffffull, -1, ~0ull};
    printf("%llu\n", (unsigned long long)w.u);
    printf("%lld\n", (long long)w.s);
    printf("%llu\n", (unsigned long long)w.u + 1);
    printf("%llu\n", (unsigned long long)(w.u + 1ull));
    printf("%llu\n", (unsigned long long)(w.u + w.u));
    printf("%llu\n", (unsigned long long)(w.u << 4));
    printf("%llu\n", (unsigned long long)w.u << 4);
    printf("%llu\n", (unsigned long long)(w.all + 1));
    w.u++;
    printf("%llu\n", (unsigned long long)w.u);
    w.u -= 1;
    printf("%llu\n", (unsigned long long)w.u);
    printf("%d\n", w.s < 0 && w.s == -1);
    w.s = 0x7fffffffff;
    printf("%lld\n", (long long)w.s);
    return 0;
}
