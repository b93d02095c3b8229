//@ property: deadlock verdict: unsafe
//@ property: data-race verdict: unsafe
//@ property: lock-misuse,memory verdict: safe
// The flag is set and signalled outside the mutex: between the test and the wait.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *produce(void *arg) {
    ready = 1;
    pthread_cond_signal(&c);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
