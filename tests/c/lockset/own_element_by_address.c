//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe
// Each thread is given the address of its number, which main counts on.
#include <pthread.h>

static int a[4];
static long next;

static void *worker(void *number)
{
    long i = *(long *)number % 4;
    for (int k = 0; k < 3; k++)
        a[i] = k;
    return 0;
}

int main(void)
{
    pthread_t t;
    for (next = 0; next < 4; next++)
        pthread_create(&t, 0, worker, &next);
    pthread_exit(0);
}

//@ known: order memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit memory,misuse,assertion,deadlock,division-by-zero unknown(limit)
//@ known: portfolio memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: lockset deadlock unknown(unproved)
