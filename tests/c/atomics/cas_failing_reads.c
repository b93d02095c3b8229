//@ property: data-race verdict: safe
// A compare-and-exchange that fails only reads.
#include <pthread.h>

static int x;

static void *exchanger(void *arg)
{
    int expected = 5;
    __atomic_compare_exchange_n(&x, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, exchanger, 0);
    int y = x;
    pthread_join(thread, 0);
    return y;
}
