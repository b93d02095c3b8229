//@ property: all verdict: safe
//@ run: gcc
// Sizes, alignments and ranges of every integer type under LP64.
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SHOW(type) printf("%-20s size %2zu align %2zu\n", #type, sizeof(type), _Alignof(type))

int main(void) {
    SHOW(_Bool);
    SHOW(char);
    SHOW(short);
    SHOW(int);
    SHOW(long);
    SHOW(long long);
    SHOW(__int128);
    SHOW(float);
    SHOW(double);
    SHOW(long double);
    SHOW(void *);
    SHOW(int (*)(void));
    SHOW(size_t);
    SHOW(ptrdiff_t);
    SHOW(wchar_t);
    SHOW(int_fast16_t);
    SHOW(intmax_t);
    printf("%d %d %d\n", CHAR_MIN, CHAR_MAX, UCHAR_MAX);
    printf("%d %d %u\n", SHRT_MIN, SHRT_MAX, USHRT_MAX);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%zu %td %td\n", SIZE_MAX, PTRDIFF_MIN, PTRDIFF_MAX);
    return 0;
}
