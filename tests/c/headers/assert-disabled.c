//@ property: all verdict: safe
//@ run: gcc
// With NDEBUG, assert does not even evaluate its argument.
#define NDEBUG
#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = 0;
    assert(n++ == 5);
    printf("%d\n", n);
#undef NDEBUG
#include <assert.h>
    assert(n++ == 0);
    printf("%d\n", n);
    static_assert(sizeof(char) == 1, "char");
    return 0;
}
