//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ property: thread-misuse verdict: unsafe line: 15
// A number that is no thread's handle.
#include <pthread.h>

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join((pthread_t)12345, 0);
    return 0;
}

//@ known: order memory,assertion,data-race,deadlock,lock-misuse unknown(unsupported)
//@ known: explicit memory,assertion,data-race,deadlock,lock-misuse unknown(unsupported)
//@ known: portfolio memory,assertion,data-race,deadlock,lock-misuse unknown(unsupported)
