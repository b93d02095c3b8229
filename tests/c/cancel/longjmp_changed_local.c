//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 20
// A variable that changed after setjmp and is not volatile has any value after the jump; one that did not change keeps
// its own, and so does a volatile one.
#include <assert.h>
#include <setjmp.h>

static jmp_buf env;
static void fail(void) { longjmp(env, 1); }

int main(void) {
    int changed = 1, same = 1;
    volatile int kept = 1;
    same = 2;
    if (setjmp(env) == 0) {
        changed = kept = 2;
        fail();
    }
    assert(same == 2 && kept == 2);
    assert(changed == 2);
    return 0;
}

//@ known: explicit memory,misuse,data-race,deadlock,memory-leak,memory-cleanup,division-by-zero,signed-overflow,shift unknown(cut)
