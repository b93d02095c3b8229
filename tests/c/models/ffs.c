//@ model: ffs ffsl ffsll
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

int main(void)
{
    volatile int zero = 0, twelve = 12, least = -2147483647 - 1;
    volatile long big = 1L << 30;
    volatile long long huge = 1LL << 62;
    printf("%d %d %d\n", ffs(zero), ffs(twelve), ffs(least));
    printf("%d %d %d\n", ffsl(big), ffsll(huge), ffsll(-1LL));
    return 0;
}
