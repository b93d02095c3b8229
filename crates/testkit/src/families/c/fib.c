/* Two threads add into each other's variable, ROUNDS times each. The largest value comes from strict
   alternation and is the Fibonacci number of 2 (ROUNDS + 1), which is LIMIT. */
#include <assert.h>
#include <pthread.h>

int i = 1, j = 1;

static void *first(void *unused)
{
    for (int k = 0; k < ROUNDS; k++)
        i += j;
    return unused;
}

static void *second(void *unused)
{
    for (int k = 0; k < ROUNDS; k++)
        j += i;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
#if UNSAFE
    assert(i < LIMIT && j < LIMIT);
#else
    assert(i <= LIMIT && j <= LIMIT);
#endif
    return 0;
}
