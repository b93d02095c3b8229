//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 13
//@ property: lock-misuse verdict: unsafe line: 14
// A thread that does not get the lock does not notice.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;

static void *worker(void *unused)
{
    pthread_mutex_trylock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,assertion,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: explicit memory,assertion,deadlock,thread-misuse,division-by-zero unknown(limit)
//@ known: portfolio memory,assertion,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: lockset memory,assertion,deadlock,thread-misuse,division-by-zero unknown(unproved)
