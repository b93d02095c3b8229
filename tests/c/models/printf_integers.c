//@ model: printf
//@ property: all verdict: safe
//@ run: gcc
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

int main(void)
{
    printf("%d %i %u %o %x %X\n", -42, 42, 42u, 42u, 0xbeefu, 0xbeefu);
    printf("[%5d][%-5d][%05d][%+d][% d][%+5d]\n", 42, 42, 42, 42, 42, 42);
    printf("[%.3d][%8.3d][%-8.3d][%08.3d][%.0d][%5.0d]\n", 5, 5, 5, 5, 0, 0);
    printf("[%#x][%#X][%#o][%#x][%#o][%#10x][%#010x]\n", 255u, 255u, 8u, 0u, 0u, 255u, 255u);
    printf("%hhd %hhu %hd %hu\n", 300, 300, 70000, 70000);
    printf("%ld %lu %lld %llu\n", LONG_MIN, ULONG_MAX, LLONG_MIN, ULLONG_MAX);
    printf("%zu %zd %td %jd %ju\n", sizeof(int), (ptrdiff_t)-1, (ptrdiff_t)7, (intmax_t)-9, (uintmax_t)9);
    printf("%" PRId64 " %" PRIx32 " %" PRIu8 "\n", INT64_MIN, UINT32_MAX, (uint8_t)200);
    printf("[%*d][%-*d][%.*d][%*d]\n", 6, 42, 6, 42, 4, 42, -6, 42);
    printf("%d%% %c%c|%3c|%-3c|\n", 50, 'o', 'k', 'x', 'y');
    printf("%d %d\n", INT_MIN, INT_MAX);
    return 0;
}
