//@ property: deadlock verdict: safe
// A ticket lock.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next, serving;
static int shared;

static void *work(void *arg)
{
    int own = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != own)
        ;
    shared++;
    atomic_fetch_add(&serving, 1);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
