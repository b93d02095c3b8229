//@ property: assertion verdict: unsafe line: 26
// A write that may happen or not counts.
#include <assert.h>
#include <pthread.h>

static _Atomic int wanted, value;

static void *work(void *arg)
{
    if (wanted)
        value = 3;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    wanted = 1;
    pthread_join(thread, 0);
    if (value)
        wanted = 0;
    else
        wanted = 2;
    int seen = wanted;
    assert(seen != 0);
    return 0;
}
