//@ property: all verdict: safe
// A routine that returns nothing is no trouble as long as nobody asks.
#include <pthread.h>

static int calls;

static int counts(void)
{
    calls++;
}

static void *silent(void *arg)
{
    (void)arg;
}

int main(void)
{
    pthread_t thread;
    counts();
    pthread_create(&thread, 0, silent, 0);
    pthread_join(thread, 0);
    return 0;
}
