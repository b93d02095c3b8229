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
    printf("%ld %ld\n", lrand48(), mrand48());
    lcong48(all);
    printf("%ld %ld\n", lrand48(), nrand48(seed));
    srand48(5);
    printf("%ld %f\n", lrand48(), drand48());
    return 0;
}
