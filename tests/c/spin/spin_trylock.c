//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_spin_trylock
// Taken or busy.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;

static void *other(void *arg) {
    assert(pthread_spin_trylock(&lock) == EBUSY);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_spin_init(&lock, 0);
    assert(pthread_spin_trylock(&lock) == 0);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    pthread_spin_unlock(&lock);
    return 0;
}
