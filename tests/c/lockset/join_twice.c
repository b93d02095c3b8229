//@ property: assertion,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: thread-misuse verdict: unsafe line: 20
// The first thread is joined twice, the second not at all.
#include <pthread.h>

static int x;

static void *worker(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    return x;
}

//@ known: order memory,assertion,deadlock,lock-misuse,division-by-zero unknown(addresses)
//@ known: explicit memory,assertion,deadlock,lock-misuse,division-by-zero unknown(addresses)
//@ known: portfolio memory,assertion,deadlock,lock-misuse,division-by-zero unknown(addresses)
//@ known: lockset deadlock unknown(unproved)
