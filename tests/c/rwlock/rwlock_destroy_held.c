//@ property: lock-misuse verdict: unsafe line: 10
//@ property: assertion,data-race,deadlock,memory verdict: safe
// Destroyed with a reader inside.
#include <pthread.h>

static pthread_rwlock_t l;
int main(void) {
    pthread_rwlock_init(&l, 0);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_destroy(&l);
    return 0;
}
