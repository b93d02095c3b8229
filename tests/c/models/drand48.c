//@ model: srand48 drand48 erand48 lrand48 nrand48 mrand48 jrand48
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    unsigned short state[3] = {1, 2, 3};
    srand48(12345);
    printf("%.17g ", drand48());
    printf("%ld ", lrand48());
    printf("%ld\n", mrand48());
    printf("%.17g\n", erand48(state));
    printf("%ld\n", nrand48(state));
    printf("%ld\n", jrand48(state));
    printf("%d %d %d\n", state[0], state[1], state[2]);
    return 0;
}

//@ known: explicit all unknown(cut)
