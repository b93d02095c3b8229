//@ property: deadlock verdict: safe
// An endless loop as an assumption: the thread counts as stopped by it, so nobody waits for ever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void suppose(int holds)
{
    if (!holds) {
    stay:
        goto stay;
    }
}

static void *set(void *arg)
{
    atomic_store(&value, 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    suppose(atomic_load(&value) == 1);
    pthread_join(thread, 0);
    return 0;
}
