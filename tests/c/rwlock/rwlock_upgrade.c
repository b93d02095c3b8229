//@ property: deadlock verdict: unsafe
//@ property: lock-misuse verdict: unsafe
//@ property: assertion,data-race,memory verdict: safe
// A reader cannot become a writer: it waits for itself, as with a mutex locked twice.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}
