/* Two threads add into each other's variable, N times each: neither can pass the Fibonacci number of
   2 (N + 1), which is LIMIT. The shape of a well-known benchmark for bounded model checkers. */
#include <assert.h>
#include <pthread.h>

int i = 1, j = 1;

static void *first(void *unused)
{
    (void)unused;
    for (int k = 0; k < N; k++)
        i += j;
    return 0;
}

static void *second(void *unused)
{
    (void)unused;
    for (int k = 0; k < N; k++)
        j += i;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    assert(i <= LIMIT && j <= LIMIT);
    return 0;
}
