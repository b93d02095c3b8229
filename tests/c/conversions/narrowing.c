//@ property: all verdict: safe
//@ run: gcc
// Narrowing keeps the low bits and is never an overflow.
#include <stdint.h>
#include <stdio.h>

static unsigned char to_byte(int x) { return x; }
static short pass_short(short x) { return x; }

int main(void) {
    int big = 0x12345678;
    printf("%#x %#x\n", (unsigned char)big, (unsigned short)big);
    printf("%d %d\n", (signed char)0x80, (short)0x8000);
    printf("%d %d\n", to_byte(-1), to_byte(511));
    printf("%d\n", pass_short(70000));
    int64_t wide = 0x1ffffffffll;
    int32_t narrow = wide;
    printf("%d\n", narrow);
    uint32_t u = -1;
    int64_t from_u = u, from_i = (int32_t)u;
    printf("%ld %ld\n", from_u, from_i);
    uint64_t sign_extended = (int8_t)-2;
    printf("%lu\n", sign_extended);
    printf("%lu\n", (uint64_t)(uint8_t)-2);
    printf("%d\n", (char)(short)(int)0x123456ffl);
    printf("%d\n", (int)(unsigned char)(signed char)-1);
    int16_t array[] = {32767, -32768, (int16_t)32768, (int16_t)-32769};
    for (int i = 0; i < 4; i++)
        printf("%d ", array[i]);
    puts("");
    __int128 huge = ((__int128)7 << 64) - 1;
    printf("%ld %d %d\n", (long)huge, (int)huge, (_Bool)(huge + 1));
    return 0;
}
