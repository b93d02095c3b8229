//@ property: assertion verdict: unsafe line: 24
//@ property: data-race,deadlock,lock-misuse verdict: safe
// The second write of the section hides the first only where it is made.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *write(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    if (__VERIFIER_nondet_int())
        x = 2;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *read(void *arg) {
    pthread_mutex_lock(&m);
    int seen = x;
    assert(seen != 1);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, write, 0);
    pthread_create(&b, 0, read, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

//@ known: explicit data-race,deadlock,lock-misuse unknown(cut)
