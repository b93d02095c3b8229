//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ run: gcc
// The usual use: give the mutex back whatever happens.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void unlock(void *arg) {
    pthread_mutex_unlock(arg);
}

static void *work(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, &m);
    x++;
    if (arg)
        pthread_exit(0);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, &t);
    work(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
