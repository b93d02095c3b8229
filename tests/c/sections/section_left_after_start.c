//@ property: out-of-bounds verdict: unsafe line: 15
//@ property: assertion,deadlock verdict: safe
// The call that starts the thread fails before it is over, because the handle cannot be stored: the thread never runs.
#include <assert.h>
#include <pthread.h>

static void *work(void *arg)
{
    assert(!"reached");
    return arg;
}

int main(void)
{
    pthread_create((pthread_t *)(void *)main, 0, work, 0);
    pthread_exit(0);
}
