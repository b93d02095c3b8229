//@ property: thread-misuse verdict: unsafe line: 20
//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ model: pthread_kill
// Signal 0 asks whether a thread is there. After the join its id means nothing.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

static void *work(void *arg) { return arg; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    assert(pthread_kill(t, 0) == 0);
    assert(pthread_kill(pthread_self(), 0) == 0);
    assert(pthread_kill(t, 99) == EINVAL);
    pthread_join(t, 0);
    assert(pthread_kill(t, 0) == 0);
    return 0;
}
