//@ property: assertion verdict: unsafe line: 35
// Two locks taken in one step begin two sections, which end at different times.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *writer(void *arg) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    x = 1;
    pthread_mutex_unlock(&a);
    __VERIFIER_atomic_end();
    // Under the other lock only.
    x = 2;
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_mutex_lock(&a);
    int seen = x;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    assert(seen != 1);
    return 0;
}
