//@ property: deadlock verdict: unsafe line: 18
// The other thread has ended before main looks for a second request.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int requests;

static void *ask(void *arg)
{
    atomic_fetch_add(&requests, 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, ask, 0);
    while (atomic_load(&requests) < 2)
        ;
    pthread_join(thread, 0);
    return 0;
}
