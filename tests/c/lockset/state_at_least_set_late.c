//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: assertion verdict: unsafe line: 13
// A state that main raises to 1 under the lock, but after the first thread has started.
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
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    state = 1;
    pthread_mutex_unlock(&m);
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,misuse,data-race,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit all unknown(limit)
