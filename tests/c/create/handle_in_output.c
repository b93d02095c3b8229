//@ property: all verdict: safe
// What an id or an address looks like in print is nobody's business.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_t first;

static void *show(void *arg)
{
    printf("%lu %p\n", pthread_self(), (void *)&arg);
    assert(!pthread_equal(first, pthread_self()));
    return arg;
}

int main(void)
{
    pthread_t thread;
    first = pthread_self();
    assert(first != 0);
    pthread_create(&thread, 0, show, 0);
    pthread_join(thread, 0);
    return 0;
}
