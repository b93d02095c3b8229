//@ property: assertion,data-race,deadlock,lock-misuse verdict: safe
// Eight threads count under a lock; that nothing is lost is seen without trying the orders.
#include <assert.h>
#include <pthread.h>

#define THREADS 8
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        int now = count;
        count = now + 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    assert(count == 2 * THREADS);
    return 0;
}

//@ known: explicit all unknown(limit)
