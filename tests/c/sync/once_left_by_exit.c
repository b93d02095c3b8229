//@ property: assertion,data-race,deadlock verdict: safe
//@ run: gcc
// A thread that ends inside the routine leaves the control as it was.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls;

static void routine(void)
{
    if (calls++ == 0)
        pthread_exit(0);
}

static void *first(void *arg)
{
    pthread_once(&once, routine);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    pthread_join(thread, 0);
    pthread_once(&once, routine);
    assert(calls == 2);
    return 0;
}
