//@ property: lock-misuse verdict: unsafe line: 13
//@ property: assertion,data-race,deadlock,memory verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t rw;

int main(void)
{
    pthread_rwlock_init(&rw, 0);
    pthread_rwlock_destroy(&rw);
    assert(pthread_rwlock_rdlock(&rw) == EINVAL);
    assert(pthread_rwlock_unlock(&rw) == EINVAL);
    return 0;
}
