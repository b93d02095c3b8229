//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock
// Readers see either nothing or all of what the writer does.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *read(void *arg) {
    pthread_rwlock_rdlock(&l);
    assert(a == b);
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, read, 0);
    pthread_rwlock_wrlock(&l);
    a++;
    b++;
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    return 0;
}
