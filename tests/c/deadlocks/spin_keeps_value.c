//@ property: deadlock verdict: safe
// The loop stores what it has read until main sets the flag.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, seen;

static void *wait(void *arg)
{
    do
        seen = flag;
    while (!seen);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    flag = 1;
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
