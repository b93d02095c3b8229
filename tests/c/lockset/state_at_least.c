//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A state that main raises to 1 before the threads start and that only grows after that.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int state;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    assert(state >= 1);
    if (state < 5)
        state += 2;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    state = 1;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
