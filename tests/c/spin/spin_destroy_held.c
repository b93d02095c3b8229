//@ property: lock-misuse verdict: unsafe line: 10
//@ property: assertion,data-race,deadlock,memory verdict: safe
// Destroyed while held.
#include <pthread.h>

int main(void) {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, 0);
    pthread_spin_lock(&lock);
    pthread_spin_destroy(&lock);
    return 0;
}
