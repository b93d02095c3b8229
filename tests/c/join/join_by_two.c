//@ property: thread-misuse verdict: unsafe line: 18
//@ property: deadlock verdict: unsafe
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// Two threads join the same one. Whoever comes second while the first still waits never returns; whoever comes after
// it has been joined gets an error.
#include <errno.h>
#include <assert.h>
#include <pthread.h>

static pthread_t target;

static void *work(void *arg)
{
    return arg;
}

static void *joins(void *arg) {
    int error = pthread_join(target, 0);
    assert(error == 0 || error == ESRCH);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&target, 0, work, 0);
    pthread_create(&a, 0, joins, 0);
    pthread_create(&b, 0, joins, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

//@ known: order memory,assertion,data-race,lock-misuse unknown(addresses)
//@ known: explicit memory,assertion,data-race,lock-misuse unknown(addresses)
//@ known: portfolio memory,assertion,data-race,lock-misuse unknown(addresses)
