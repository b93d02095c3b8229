//@ property: all verdict: safe
//@ flags: --32 --headers64 -D_GNU_SOURCE
// The layouts of 32-bit programs: the kind of a mutex lies elsewhere, objects are smaller.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t m;
static pthread_cond_t c;
static pthread_rwlock_t l;
static pthread_barrier_t b;
static sem_t s;

int main(void) {
    pthread_attr_t attr;
    size_t size;
    assert(sizeof(void *) == 4);
    assert(pthread_mutex_lock(&r) == 0 && pthread_mutex_lock(&r) == 0);
    assert(pthread_mutex_init(&m, 0) == 0 && pthread_cond_init(&c, 0) == 0);
    assert(pthread_rwlock_init(&l, 0) == 0 && pthread_rwlock_wrlock(&l) == 0);
    assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
    assert(pthread_barrier_init(&b, 0, 1) == 0 && pthread_barrier_wait(&b) == -1);
    assert(sem_init(&s, 0, 1) == 0 && sem_wait(&s) == 0 && sem_trywait(&s) == -1);
    assert(pthread_attr_init(&attr) == 0 && pthread_attr_setstacksize(&attr, 65536) == 0);
    assert(pthread_attr_getstacksize(&attr, &size) == 0 && size == 65536);
    return 0;
}
