//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Each thread has the element of its number, which it is given by value.
#include <pthread.h>

static int a[4];

static void *worker(void *number)
{
    long i = (long)number;
    for (int k = 0; k < 3; k++)
        a[i] = k;
    return 0;
}

int main(void)
{
    pthread_t t;
    for (long i = 0; i < 4; i++)
        pthread_create(&t, 0, worker, (void *)i);
    pthread_exit(0);
}
