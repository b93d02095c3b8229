//@ property: assertion,data-race,lock-misuse verdict: safe
// The lock is given back in the middle on some paths, and taken again: what is known of the section's beginning
// is not known after it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, value;

static void *consume(void *arg) {
    pthread_mutex_lock(&m);
    int before = value;
    while (!ready)
        pthread_cond_wait(&c, &m);
    assert(value == 7 && (before == 0 || before == 7));
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, consume, 0);
    pthread_mutex_lock(&m);
    value = 7;
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
