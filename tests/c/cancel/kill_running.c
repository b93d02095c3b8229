//@ property: assertion,data-race,deadlock,misuse,memory verdict: safe
// A thread that has ended but has not been joined can still be asked for.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *work(void *arg) { return arg; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    assert(pthread_kill(t, 0) == 0);
    pthread_join(t, 0);
    return 0;
}
