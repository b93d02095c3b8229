//@ property: all verdict: safe
//@ run: gcc
// An empty asm with a memory clobber is a compiler barrier, in all its spellings.
#include <stdio.h>

static int data, ready;
#define barrier() __asm__ __volatile__("" ::: "memory")

int main(void) {
    data = 42;
    asm volatile("" ::: "memory");
    ready = 1;
    barrier();
    asm volatile("" : : : "memory", "cc");
    __asm__("");
    printf("%d %d\n", data, ready);
    return 0;
}
