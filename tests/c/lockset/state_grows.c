//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A state that only grows: what a thread has seen is no more than what it sees later.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int state;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    int seen = state;
    if (state < 3)
        state++;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    assert(state >= seen);
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
//@ known: portfolio all unknown(loop-bound)
//@ known: lockset assertion unknown(unproved)
