//@ property: deadlock verdict: safe
// The second condition stays true: the loop has no exit, whatever the flag is.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void wait(int more)
{
    while (!flag || more)
        ;
}

static void *run(void *arg)
{
    wait(1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
