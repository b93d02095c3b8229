//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A ring that any number of threads write to: the index stays below the size under its lock.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ring[8];
static unsigned head;

static void *worker(void *unused)
{
    while (1) {
        pthread_mutex_lock(&m);
        ring[head] = 1;
        head = (head + 1) % 8;
        pthread_mutex_unlock(&m);
    }
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
//@ known: lockset all unknown(unproved)
