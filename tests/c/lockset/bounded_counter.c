//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A counter that grows up to a limit; comparison and increment are one section.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    if (n < 10)
        n++;
    assert(n <= 10);
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
