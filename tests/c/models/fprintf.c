//@ model: fprintf dprintf
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    int n = fprintf(stdout, "out %d\n", 1);
    int m = fprintf(stderr, "err %d %s\n", 2, "x");
    fflush(stdout);
    int k = dprintf(1, "fd %d\n", 3);
    dprintf(2, "fd %d\n", 4);
    printf("%d %d %d\n", n, m, k);
    return 0;
}
