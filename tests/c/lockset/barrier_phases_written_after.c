//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 15
// Three threads meet at a barrier, and write their elements once more while others read them.
#include <pthread.h>

static pthread_barrier_t barrier;
static int a[3], sum[3];

static void *worker(void *number)
{
    long i = (long)number;
    a[i] = 1;
    pthread_barrier_wait(&barrier);
    sum[i] = a[(i + 1) % 3];
    a[i] = 2;
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
