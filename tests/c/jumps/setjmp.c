//@ property: all verdict: safe
//@ run: gcc
// The smallest jump.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;

int main(void) {
    puts("before");
    if (setjmp(env) == 0)
        longjmp(env, 1);
    puts("after");
    return 0;
}
