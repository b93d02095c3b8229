//@ property: all verdict: safe
//@ run: gcc
// _Alignas and _Alignof on variables, members and types.
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct padded { char a; alignas(16) char b; _Alignas(double) char c; };
static _Alignas(64) char buffer[10];
static alignas(long) alignas(32) int number = 5;

int main(void) {
    alignas(128) char local = 'x';
    printf("%zu %zu %zu\n", alignof(char), alignof(max_align_t), alignof(struct padded));
    printf("%zu %zu %zu\n", sizeof(struct padded), offsetof(struct padded, b), offsetof(struct padded, c));
    printf("%d %d %d\n", (int)((uintptr_t)buffer % 64), (int)((uintptr_t)&number % 32), (int)((uintptr_t)&local % 128));
    printf("%zu %zu\n", alignof(int[3]), _Alignof(void (*)(void)));
    struct padded array[2];
    printf("%d\n", (int)((uintptr_t)&array[1].b % 16));
    void *p = aligned_alloc(256, 512);
    printf("%d\n", (int)((uintptr_t)p % 256));
    free(p);
    printf("%d %c %zu\n", number, local, sizeof buffer);
    alignas(0) int zero = 3;
    printf("%d\n", zero);
    return 0;
}
