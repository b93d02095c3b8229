//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A stack: pushed while there is room, popped while it is not empty.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stack[4], depth;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    if (__VERIFIER_nondet_int()) {
        if (depth < 4)
            stack[depth++] = 1;
    } else if (depth > 0) {
        depth--;
    }
    assert(depth >= 0 && depth <= 4);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
