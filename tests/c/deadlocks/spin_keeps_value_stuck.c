//@ property: deadlock verdict: unsafe line: 11
// The loop stores what it has read, which is what was there: it waits for a flag that nobody sets.
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
    pthread_join(thread, 0);
    return 0;
}
