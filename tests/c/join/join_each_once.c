//@ property: assertion,data-race,deadlock,misuse,memory verdict: safe
// Two threads, each joined once: by different threads, through one variable used twice.
#include <assert.h>
#include <pthread.h>

static pthread_t inner;

static void *work(void *arg)
{
    return arg;
}

static void *starts(void *arg)
{
    pthread_create(&inner, 0, work, arg);
    return 0;
}

int main(void)
{
    int value;
    void *got;
    pthread_t t;
    pthread_create(&t, 0, starts, &value);
    pthread_join(t, 0);
    pthread_join(inner, &got);
    assert(got == &value);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
