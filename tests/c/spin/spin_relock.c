//@ property: lock-misuse verdict: unsafe line: 11
//@ property: deadlock verdict: unsafe
//@ property: assertion,data-race,memory verdict: safe
// A spin lock is not recursive.
#include <pthread.h>

int main(void) {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, 0);
    pthread_spin_lock(&lock);
    pthread_spin_lock(&lock);
    return 0;
}
