//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: assertion verdict: unsafe line: 18
// A counter that is compared in one section and grows in another: two threads may compare before both add.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    int room = n < 2;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    if (room)
        n++;
    assert(n <= 2);
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
//@ known: explicit all unknown(limit)
