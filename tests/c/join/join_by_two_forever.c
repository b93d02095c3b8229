//@ property: thread-misuse verdict: unsafe line: 18
//@ property: deadlock verdict: unsafe
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// The thread that both want to join never ends: the second call is wrong all the same.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static pthread_t target;

static void *work(void *arg) {
    sem_wait(&never);
    return arg;
}

static void *joins(void *arg)
{
    pthread_join(target, 0);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&never, 0, 0);
    pthread_create(&target, 0, work, 0);
    pthread_create(&a, 0, joins, 0);
    pthread_create(&b, 0, joins, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

//@ known: order memory,assertion,data-race,lock-misuse unknown(addresses)
