//@ property: all verdict: safe
//@ run: gcc
// Each thread jumps in its own frames, with a context of its own.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

struct task { jmp_buf env; int result; };

static void fail(struct task *t) { longjmp(t->env, 5); }
static void *work(void *arg) {
    struct task *t = arg;
    int code = setjmp(t->env);
    if (code == 0)
        fail(t);
    t->result = code;
    return 0;
}

int main(void) {
    static struct task a, b;
    pthread_t t;
    pthread_create(&t, 0, work, &a);
    work(&b);
    pthread_join(t, 0);
    assert(a.result == 5 && b.result == 5);
    return 0;
}
