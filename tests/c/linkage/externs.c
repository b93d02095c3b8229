//@ property: all verdict: safe
//@ files: externs-other.c
//@ run: gcc
// extern in files, blocks and headers; incomplete arrays and structs completed elsewhere.
#include "externs.h"
#include <stdio.h>

int main(void) {
    extern int only_in_block;
    printf("%d\n", only_in_block);
    printf("%s %d\n", names[1], name_count);
    opaque *o = opaque_new(5);
    opaque_add(o, 10);
    printf("%d\n", opaque_get(o));
    callback = opaque_get;
    printf("%d\n", call_back(o));
    {
        extern int later_here;
        later_here++;
    }
    extern int later_here;
    printf("%d\n", later_here);
    extern double scale(double);
    printf("%g\n", scale(2));
    return 0;
}

int later_here = 8;
