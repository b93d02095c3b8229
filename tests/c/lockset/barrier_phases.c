//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Three threads write their elements, meet at a barrier, and read those of the others.
#include <pthread.h>

static pthread_barrier_t barrier;
static int a[3], sum[3];

static void *worker(void *number)
{
    long i = (long)number;
    a[i] = 1;
    pthread_barrier_wait(&barrier);
    sum[i] = a[(i + 1) % 3];
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_barrier_init(&barrier, 0, 3);
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return sum[0] == 0;
}

//@ known: lockset deadlock unknown(unproved)
