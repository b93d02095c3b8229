//@ property: lock-misuse verdict: unsafe line: 9
//@ property: assertion,data-race,deadlock,memory verdict: safe
// Nobody holds it.
#include <pthread.h>

int main(void) {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, 0);
    pthread_spin_unlock(&lock);
    return 0;
}
