//@ property: all verdict: safe
//@ model: pthread_mutex_trylock
// Taken or not, no waiting, and the critical section is exclusive either way.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *arg) {
    int result = pthread_mutex_trylock(&m);
    assert(result == 0 || result == EBUSY);
    if (result == 0) {
        x++;
        assert(pthread_mutex_trylock(&m) == EBUSY);
        pthread_mutex_unlock(&m);
    }
    return (void *)(long)(result == 0);
}

int main(void) {
    pthread_t t;
    void *first = 0, *second;
    pthread_create(&t, 0, work, 0);
    second = work(0);
    pthread_join(t, &first);
    assert(x == (long)first + (long)second && x >= 1);
    return 0;
}
