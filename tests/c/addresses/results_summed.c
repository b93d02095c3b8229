//@ property: all verdict: safe
//@ run: gcc
// Results of threads are numbers, and are computed with as they come.
#include <assert.h>
#include <pthread.h>

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    long sum = 0;
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, (void *)(i + 1));
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(threads[i], &result);
        sum += (long)result;
    }
    assert(sum == 3);
    return 0;
}
