//@ property: all verdict: safe
//@ run: gcc
// Bit-fields in static initialisers: merged into bytes at compile time, unnamed ones skipped.
#include <stdio.h>

struct op { unsigned code : 6; int arg : 10; unsigned : 4; unsigned last : 12; };

static struct op program[] = {
    {1, -1, 4095},
    {.last = 7, .code = 63},
    {.arg = -512},
    {64 + 3, 511, 4096 + 9},
};
static const struct { unsigned long long low : 36, high : 28; } word = {0xfffffffffull, 0x1234567};
static union { struct { unsigned lo : 4, hi : 4; } nibble; unsigned char byte; } u = {{0xa, 0x5}};

int main(void) {
    for (unsigned i = 0; i < sizeof program / sizeof *program; i++)
        printf("%d %d %d\n", program[i].code, program[i].arg, program[i].last);
    printf("%llx %llx\n", (unsigned long long)word.low, (unsigned long long)word.high);
    printf("%x\n", u.byte);
    u.byte = 0x3c;
    printf("%x %x\n", u.nibble.lo, u.nibble.hi);
    static struct op local = {.arg = 5, 6};
    local.arg -= 6;
    printf("%d %d %d\n", local.code, local.arg, local.last);
    return 0;
}
