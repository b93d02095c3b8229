//@ property: all verdict: safe
//@ model: __VERIFIER_atomic_begin __VERIFIER_atomic_end __CPROVER_atomic_begin __CPROVER_atomic_end
//@ model: __ESBMC_atomic_begin __ESBMC_atomic_end
// Sections do not interleave, and do not race with each other.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);

static int x;

static void *first(void *arg) {
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return 0;
}

static void *second(void *arg) {
    __CPROVER_atomic_begin();
    x++;
    __CPROVER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    __ESBMC_atomic_begin();
    x++;
    __ESBMC_atomic_end();
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 3);
    return 0;
}
