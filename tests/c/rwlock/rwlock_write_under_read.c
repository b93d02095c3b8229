//@ property: data-race verdict: unsafe
//@ property: assertion verdict: unsafe line: 22
//@ property: deadlock,lock-misuse,memory verdict: safe
// A read lock does not protect a write.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *add(void *arg) {
    pthread_rwlock_rdlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
