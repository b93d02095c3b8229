//@ property: all verdict: safe
//@ run: gcc
// Casts bind tighter than binary operators, looser than postfix ones.
#include <stdio.h>
#include <stdlib.h>

typedef int number;
typedef int (*binary)(int, int);
struct box { double d; };

static int add(int a, int b) { return a + b; }

int main(void) {
    int a = 7, b = 2;
    printf("%g %g %g\n", (double)a / b, (double)(a / b), a / (double)b);
    printf("%d\n", (char)300 + 1);
    printf("%d\n", (int)3.7 * 2);
    printf("%zu %zu\n", sizeof(char)+1, sizeof(char) * 3);
    printf("%d\n", (number)-1);
    int number = 5;
    printf("%d\n", (number)-1);
    printf("%d\n", -(unsigned char)1);
    struct box box = {2.9}, *p = &box;
    printf("%d %d\n", (int)p->d, (int)box.d);
    (void)a;
    void *erased = (void *)(long)&box;
    printf("%g\n", ((struct box *)erased)->d);
    binary f = (binary)(void (*)(void))add;
    printf("%d\n", f(1, 2));
    const int constant = 3;
    printf("%d\n", *(int *)&constant);
    int *heap = (int *)calloc(2, sizeof *heap);
    ((char *)heap)[4] = 1;
    printf("%d\n", heap[1]);
    free((void *)heap);
    printf("%d\n", (short)(int)(char)0x1234);
    printf("%ld\n", (long)(int)0x80000000u);
    return 0;
}
