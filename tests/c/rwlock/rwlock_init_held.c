//@ property: lock-misuse verdict: unsafe line: 10
//@ property: assertion,data-race,deadlock,memory verdict: safe
#include <pthread.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

int main(void)
{
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_init(&rw, 0);
    return 0;
}
