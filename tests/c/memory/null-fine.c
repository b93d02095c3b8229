//@ property: all verdict: safe
//@ run: gcc
// Null pointers that are computed with, compared and passed, never accessed.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct s { int a, b; };

int main(void) {
    int *p = 0;
    struct s *q = NULL;
    printf("%d %d\n", p == NULL, !q);
    printf("%zu %zu\n", sizeof *p, sizeof q->b);
    printf("%zu\n", offsetof(struct s, b));
    free(p);
    int *r = p ? &q->b : 0;
    printf("%d\n", r == 0);
    if (q && q->a)
        puts("never");
    typeof(q->b) x = 5;
    printf("%d %d\n", x, (int)(p - p));
    int *address = &*p;
    printf("%d\n", address == p);
    void (*f)(void) = 0;
    printf("%d\n", f ? 1 : 0);
    return 0;
}
