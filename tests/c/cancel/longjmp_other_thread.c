//@ property: all verdict: safe
//@ property: use-after-free verdict: unsafe line: 9
// A context that another thread has saved.
#include <pthread.h>
#include <setjmp.h>

static jmp_buf env;
static void *work(void *arg) {
    longjmp(env, 1);
    return arg;
}

int main(void) {
    pthread_t t;
    if (setjmp(env))
        return 1;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
