//@ model: __assert_fail
//@ property: all verdict: safe
//@ run: gcc
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int x = 3;
    assert(x == 3);
    assert("text" && x);
    puts("passed");
    return 0;
}
