//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe
// A spin lock guards the counter of any number of threads, but main reads it without.
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
    while (n < 10)
        pthread_create(&t, 0, worker, 0);
    return 0;
}

//@ known: order memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit all unknown(limit)
//@ known: portfolio memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: lockset deadlock unknown(unproved)
