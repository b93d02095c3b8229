//@ property: all verdict: safe
//@ run: gcc
// The same with the unlock where the jump arrives.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf env;
static int shared;

static void step(int n) {
    shared++;
    if (n > 0)
        longjmp(env, 1);
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
    else
        pthread_mutex_unlock(&m);
    update(0);
    pthread_join(t, 0);
    assert(shared == 3);
    return 0;
}
