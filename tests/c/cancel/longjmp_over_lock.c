//@ property: all verdict: safe
//@ property: lock-misuse verdict: unsafe line: 24
//@ property: deadlock verdict: unsafe
// The error path jumps over the unlock: the lock is still held at the next round.
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf env;
static int shared;

static void step(int n) {
    if (n > 0)
        longjmp(env, 1);
    shared++;
}
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    shared++;
    pthread_mutex_unlock(&m);
    return arg;
}
static void update(int n) {
    pthread_mutex_lock(&m);
    step(n);
    pthread_mutex_unlock(&m);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (setjmp(env) == 0)
        update(1);
    update(0);
    pthread_join(t, 0);
    return 0;
}
