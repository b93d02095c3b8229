//@ property: deadlock verdict: unsafe line: 10
// The second condition does not keep the loop from ending, but nobody sets the flag.
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
    wait(0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
