//@ property: all verdict: safe
//@ run: gcc
// Pointers kept in integers, bytes and unions keep their objects usable.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uintptr_t stash;
static unsigned char bytes[sizeof(int *)];

int main(void) {
    int *p = malloc(2 * sizeof *p);
    p[1] = 11;
    stash = (uintptr_t)p;
    memcpy(bytes, &p, sizeof p);
    p = NULL;
    int *again = (int *)stash;
    printf("%d\n", again[1]);
    int *third;
    memcpy(&third, bytes, sizeof third);
    third[0] = 5;
    printf("%d %d\n", again[0], third == again);
    long diff = (long)&third[1] - (long)stash;
    printf("%ld\n", diff);
    unsigned low = (unsigned)stash;
    uintptr_t rebuilt = (stash >> 32 << 32) | low;
    printf("%d\n", *(int *)rebuilt);
    free((void *)stash);
    return 0;
}

//@ known: order all unknown(addresses)
//@ known: explicit all unknown(addresses)
//@ known: portfolio all unknown(addresses)
