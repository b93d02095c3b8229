//@ property: all verdict: safe
//@ run: gcc
// sizeof(void) is 1; pointers to void and functions step by bytes.
#include <stdio.h>

static int f(void) { return 1; }

int main(void) {
    int a[4] = {1, 2, 3, 4};
    void *p = a;
    p += sizeof(int);
    printf("%d\n", *(int *)p);
    void *q = p + 8;
    printf("%td %d\n", q - p, *(int *)q);
    p++;
    p--;
    printf("%d\n", p == &a[1]);
    printf("%zu %zu\n", sizeof(void), sizeof(f));
    printf("%d\n", *(int *)(q - 4));
    const void *end = &a[4];
    int n = 0;
    for (const void *it = a; it < end; it += 4)
        n += *(const int *)it;
    printf("%d\n", n);
    return 0;
}
