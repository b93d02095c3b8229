//@ property: thread-misuse verdict: unsafe line: 15
// The thread may have ended: then its id is gone, because it was detached.
#include <pthread.h>

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_detach(t);
    pthread_cancel(t);
    pthread_exit(0);
}

//@ known: order thread-misuse unknown(unsupported)
