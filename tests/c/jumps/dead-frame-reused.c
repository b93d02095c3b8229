//@ property: all verdict: safe
//@ property: use-after-free verdict: unsafe line: 10
// The same function is called again: it is another frame.
#include <setjmp.h>

static jmp_buf env;
static void save(int first) {
    if (!first)
        /* Its own call of setjmp has not been reached. */
        longjmp(env, 1);
    if (setjmp(env))
        return;
}

int main(void) {
    save(1);
    save(0);
    return 0;
}
