//@ property: assertion,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: thread-misuse verdict: unsafe line: 20
// Main joins the first thread again and again before it reads what all have written.
#include <pthread.h>

static int a[4], sum;

static void *worker(void *number)
{
    a[(long)number] = 1;
    return 0;
}

int main(void)
{
    pthread_t t[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[0], 0);
    for (int i = 0; i < 4; i++)
        sum += a[i];
    return sum;
}

//@ known: lockset deadlock unknown(unproved)
