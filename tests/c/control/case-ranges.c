//@ property: all verdict: safe
//@ run: gcc
// GNU case ranges, also negative, single and of characters.
#include <stdio.h>

static char grade(int points) {
    switch (points) {
    case 90 ... 100: return 'A';
    case 75 ... 89: return 'B';
    case 50 ... 74: return 'C';
    case 0 ... 49: return 'F';
    case -10 ... -1: return '-';
    case 1000 ... 1000: return '!';
    default: return '?';
    }
}
static int classify(unsigned char c) {
    switch (c) {
    case 'a' ... 'z':
    case 'A' ... 'Z': return 1;
    case '0' ... '9': return 2;
    case 128 ... 255: return 3;
    }
    return 0;
}
static int wide(unsigned long v) {
    switch (v) {
    case 0 ... 0xffffffff: return 32;
    case 0x100000000 ... 0xffffffffffffffff: return 64;
    }
    return -1;
}

int main(void) {
    int tests[] = {100, 90, 89, 74, 50, 49, 0, -1, -10, -11, 101, 1000, 1001};
    for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++)
        putchar(grade(tests[i]));
    puts("");
    int counts[4] = {0};
    for (int c = 0; c < 256; c++)
        counts[classify(c)]++;
    printf("%d %d %d %d\n", counts[0], counts[1], counts[2], counts[3]);
    printf("%d %d %d\n", wide(0), wide(0xffffffff), wide(0x100000000));
    return 0;
}
