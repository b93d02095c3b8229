//@ property: out-of-bounds,assertion,data-race,null-deref verdict: safe
// The twin of cond_too_small.c: the parameter points to the condition variable.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *wait(void *c) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, wait, &c);
    pthread_cond_signal(&c);
    return 0;
}
