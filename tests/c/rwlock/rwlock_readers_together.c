//@ property: assertion verdict: unsafe line: 13
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// Two readers can be inside at the same time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int inside;

static void *read(void *arg) {
    pthread_rwlock_rdlock(&l);
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, read, 0);
    read(0);
    pthread_join(t, 0);
    return 0;
}
