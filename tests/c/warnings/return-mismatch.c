//@ property: all verdict: safe
//@ run: gcc
//@ warning: 10 return-without-value
//@ warning: 14 return-with-value
// return without a value where one is expected (and not used), and the other way round.
#include <stdio.h>

static int maybe(int x) {
    if (x)
        return;
    return 5;
}
static void nothing(int x) {
    return x;
}

int main(void) {
    maybe(1);
    nothing(2);
    printf("%d\n", maybe(0));
    return 0;
}

//@ known: explicit all unknown(cut)
