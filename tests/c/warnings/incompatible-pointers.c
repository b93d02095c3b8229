//@ property: all verdict: safe
//@ run: gcc
//@ warning: 16 incompatible-pointer-types
//@ warning: 18 incompatible-pointer-types
//@ warning: 19 incompatible-pointer-types
// Pointers of other types are accepted with a warning; void pointers without.
#include <stdio.h>

static int first(const int *p) { return *p; }

int main(void) {
    unsigned u = 7;
    long l = 8;
    void *any = &u;
    int *p = any;
    char *bytes = &l;
    printf("%d %d\n", *p, bytes[0]);
    printf("%d\n", first(&l));
    int (*f)(void) = first;
    printf("%d\n", f != 0);
    return 0;
}
