//@ model: rand srand rand_r random srandom
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int first = rand(), second = rand();
    printf("%d %d %ld\n", first, second, random());
    srand(42);
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    srandom(0);
    printf("%ld ", random());
    printf("%ld\n", random());
    unsigned seed = 7;
    int a = rand_r(&seed), b = rand_r(&seed);
    printf("%d %d %u\n", a, b, seed);
    return 0;
}

//@ known: explicit all unknown(cut)
