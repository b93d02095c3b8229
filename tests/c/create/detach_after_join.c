//@ property: thread-misuse verdict: unsafe line: 18
//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
// glibc says ESRCH as long as no other thread has got the id.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(pthread_detach(t) == ESRCH);
    return 0;
}
