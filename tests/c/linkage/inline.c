//@ property: all verdict: safe
//@ files: inline-other.c
//@ run: gcc
// inline definitions: the external one lives in the other file; static inline ones are separate.
#include "inline.h"
#include <stdio.h>

int (*get_add_one(void))(int);

int main(void) {
    printf("%d %d\n", add_one(1), twice(4));
    printf("%d\n", get_add_one() == add_one);
    printf("%d ", counted());
    printf("%d\n", counted());
    printf("%d\n", other_counted());
    return 0;
}
