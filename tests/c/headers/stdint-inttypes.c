//@ property: all verdict: safe
//@ run: gcc
// stdint.h and inttypes.h: exact widths, limits, format macros, conversions.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int8_t a = INT8_MIN;
    uint16_t b = UINT16_MAX;
    int32_t c = INT32_MIN;
    uint64_t d = UINT64_MAX;
    intmax_t e = INTMAX_MIN;
    printf("%" PRId8 " %" PRIu16 " %" PRId32 " %" PRIu64 " %" PRIdMAX "\n", a, b, c, d, e);
    printf("%" PRIx64 " %" PRIo32 " %" PRIX16 "\n", UINT64_C(0xfeed), 8u, b);
    printf("%zu %zu %zu\n", sizeof(int_least16_t), sizeof(int_fast32_t), sizeof(uintptr_t));
    printf("%" PRIdMAX " %" PRIuMAX "\n", strtoimax("-77", NULL, 10), strtoumax("zz", NULL, 36));
    printf("%" PRIdMAX "\n", imaxabs(INTMAX_C(-5)));
    uint32_t wrapped = UINT32_C(4000000000) + 500000000u;
    printf("%" PRIu32 " %d\n", wrapped, SIZE_MAX == UINT64_MAX);
    printf("%" PRIdPTR " %d\n", (intptr_t)-1, WCHAR_MAX > 0);
    return 0;
}
