//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: assertion verdict: unsafe line: 17
// A state that begins anew when it has reached its last value.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int state;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    int seen = state;
    state = state < 2 ? state + 1 : 0;
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

//@ known: order memory,misuse,data-race,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit memory,misuse,data-race,deadlock,division-by-zero unknown(limit)
