//@ property: all verdict: safe
//@ property: use-after-free verdict: unsafe line: 14
// The function that called setjmp has returned.
#include <setjmp.h>

static jmp_buf env;
static int save(void) {
    return setjmp(env);
}

int main(void) {
    if (save())
        return 1;
    longjmp(env, 1);
}
