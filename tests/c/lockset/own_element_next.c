//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 12
// Each thread writes to the element of its number and reads the next one.
#include <pthread.h>

static int a[4];

static void *worker(void *number)
{
    long i = (long)number;
    for (int k = 0; k < 3; k++)
        a[i] = a[(i + 1) % 4];
    return 0;
}

int main(void)
{
    pthread_t t;
    for (long i = 0; i < 4; i++)
        pthread_create(&t, 0, worker, (void *)i);
    pthread_exit(0);
}
