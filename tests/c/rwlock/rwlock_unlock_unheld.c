//@ property: lock-misuse verdict: unsafe line: 10
//@ property: assertion,data-race,deadlock,memory verdict: safe
// Nobody holds it any more.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l);
    return 0;
}
