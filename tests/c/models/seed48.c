//@ run: gcc
//@ model: seed48 lcong48
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    unsigned short seed[3] = {1, 2, 3}, all[7] = {1, 2, 3, 4, 5, 6, 7}, *old;
    srand48(5);
    lrand48();
    old = seed48(seed);
    printf("%d %d %d\n", old[0], old[1], old[2]);
    printf("%ld\n", lrand48());
    printf("%ld\n", mrand48());
    lcong48(all);
    printf("%ld\n", lrand48());
    printf("%ld\n", nrand48(seed));
    srand48(5);
    printf("%ld\n", lrand48());
    printf("%f\n", drand48());
    return 0;
}
