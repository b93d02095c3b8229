//@ property: all verdict: safe
//@ run: gcc
// Assertions that hold, with side effects, in nested calls.
#include <assert.h>
#include <stdio.h>

static int checked(int n) {
    assert(n >= 0 && "not negative");
    return n ? n + checked(n - 1) : 0;
}

int main(void) {
    int evaluated = 0;
    assert(++evaluated);
    assert(evaluated == 1);
    assert(checked(10) == 55);
    assert("a string is true");
    assert(0.5);
    int *p = &evaluated;
    assert(p);
    p ? assert(*p) : assert(0);
    if (evaluated)
        assert(evaluated);
    else
        assert(!evaluated);
    printf("%d\n", evaluated);
    return 0;
}
