//@ unsupported: 9 robust mutexes
//@ model: pthread_mutexattr_setrobust
// Mutexes that survive their owner are not modelled.
#include <pthread.h>

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    return 0;
}
