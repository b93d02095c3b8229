//@ property: all verdict: safe
//@ model: __nesc_atomic_start __nesc_atomic_end
// Atomic sections as the nesC compiler writes them.
#include <assert.h>
#include <pthread.h>

typedef unsigned char __nesc_atomic_t;
__nesc_atomic_t __nesc_atomic_start(void);
void __nesc_atomic_end(__nesc_atomic_t old);

static int x;

static void *work(void *arg) {
    __nesc_atomic_t state = __nesc_atomic_start();
    x++;
    __nesc_atomic_end(state);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
