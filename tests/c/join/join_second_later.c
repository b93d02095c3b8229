//@ property: assertion verdict: unsafe line: 23
//@ property: data-race,lock-misuse,memory verdict: safe
// The second joiner may also come when the first has returned: then the call gives an error, and what follows happens.
#include <assert.h>
#include <pthread.h>

static pthread_t target;

static void *work(void *arg)
{
    return arg;
}

static void *joins(void *arg)
{
    pthread_join(target, 0);
    return 0;
}

static void second(void)
{
    int error = pthread_join(target, 0);
    assert(error == 0);
}

int main(void)
{
    pthread_t a;
    pthread_create(&target, 0, work, 0);
    pthread_create(&a, 0, joins, 0);
    second();
    return 0;
}
