//@ property: assertion verdict: unsafe line: 27
//@ property: data-race verdict: safe
// On one path the lock is given back early: then the rest is no section.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int x;

static void *twice(void *arg) {
    int early = __VERIFIER_nondet_int() != 0;
    pthread_mutex_lock(&m);
    x = 1;
    if (early)
        pthread_mutex_unlock(&m);
    x = 2;
    if (!early)
        pthread_mutex_unlock(&m);
    return 0;
}

static void *look(void *arg) {
    pthread_mutex_lock(&m);
    int seen = x;
    assert(seen != 1);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, twice, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

//@ known: explicit data-race unknown(cut)
