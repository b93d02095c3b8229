//@ property: all verdict: safe
//@ property: use-after-free verdict: unsafe line: 28
// Whether the function has returned before the other thread sets the flag decides where the jump would lead.
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int late;
static jmp_buf env;

static int save(void) {
    if (setjmp(env))
        return 1;
    if (!late)
        return 0;
    longjmp(env, 1);
}
static void *work(void *arg) {
    late = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    int jumped = save();
    if (!jumped && late)
        longjmp(env, 1);
    pthread_join(t, 0);
    return 0;
}
