//@ model: aligned_alloc memalign valloc posix_memalign
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *a = aligned_alloc(64, 128);
    char *b = memalign(256, 10);
    char *c = valloc(10);
    void *d = NULL;
    int result = posix_memalign(&d, 32, 5);
    a[127] = b[9] = c[9] = ((char *)d)[4] = 'z';
    printf("%d %d %d %d %d\n", (int)((uintptr_t)a % 64), (int)((uintptr_t)b % 256), (int)((uintptr_t)c % 4096),
           (int)((uintptr_t)d % 32), result);
    printf("%c%c%c%c\n", a[127], b[9], c[9], ((char *)d)[4]);
    free(a);
    free(b);
    free(c);
    free(d);
    return 0;
}
