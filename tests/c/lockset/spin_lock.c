//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A spin lock guards the counter of any number of threads.
#include <pthread.h>

static pthread_spinlock_t l;
static unsigned n;

static void *worker(void *unused)
{
    pthread_spin_lock(&l);
    n++;
    pthread_spin_unlock(&l);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
