//@ property: all verdict: safe
//@ run: gcc
// Writers exclude each other.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *write(void *arg) {
    pthread_rwlock_wrlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, write, 0);
    write(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
