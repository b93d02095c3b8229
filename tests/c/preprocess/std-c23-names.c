//@ property: all verdict: safe
//@ run: gcc
// Before C23 these are names like any other.
#include <stdio.h>

int main(void) {
    int bool = 1, true = 2, false = 3, nullptr = 4, constexpr = 5, alignas = 6, thread_local = 7;
    printf("%d\n", bool + true + false + nullptr + constexpr + alignas + thread_local);
    return 0;
}
