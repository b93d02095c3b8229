//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_spin_init pthread_spin_destroy pthread_spin_lock pthread_spin_unlock
// A spin lock is a lock.
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *add(void *arg) {
    assert(pthread_spin_lock(&lock) == 0);
    counter++;
    assert(pthread_spin_unlock(&lock) == 0);
    return 0;
}

int main(void) {
    pthread_t t;
    assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(counter == 2);
    assert(pthread_spin_destroy(&lock) == 0);
    return 0;
}
