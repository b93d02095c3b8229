//@ property: all verdict: safe
//@ files: weak-other.c
//@ run: gcc
// A strong definition wins over a weak one, whichever comes first.
#include <stdio.h>

__attribute__((weak)) int hook(void) { return 1; }
int solid(void) { return 2; }
__attribute__((weak)) int setting = 10;
int fallback(void);

int main(void) {
    printf("%d %d %d %d\n", hook(), solid(), setting, fallback());
    return 0;
}
