//@ property: deadlock verdict: safe
// The counter is the same again in every second round, until the flag is set.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *run(void *arg)
{
    unsigned turns = 0;
    while (!flag)
        turns += 0x80000000u;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    flag = 1;
    pthread_join(thread, 0);
    return 0;
}
//@ known: order deadlock unknown(loop-bound)
