//@ property: all verdict: safe
//@ flags: -I include -include forced.h
//@ run: gcc
// Headers found through -I, in angle brackets, and one forced by -include.
#include <nested/inner.h>
#include <stdio.h>
#include "outer.h"

int main(void) {
    printf("%d %d %d\n", INNER, OUTER, FORCED);
    printf("%d\n", forced_function(4));
    printf("%s\n", __FILE__[0] ? "file" : "");
    return 0;
}
