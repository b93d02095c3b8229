//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: thread-misuse verdict: unsafe line: 23
// Threads without end, each detached by the one that started it and then joined.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned served;

static void *worker(void *request)
{
    pthread_mutex_lock(&m);
    served++;
    pthread_mutex_unlock(&m);
    return request;
}

int main(void)
{
    pthread_t t;
    while (1) {
        pthread_create(&t, 0, worker, 0);
        pthread_detach(t);
        pthread_join(t, 0);
    }
}

//@ known: order memory,assertion,data-race,deadlock,lock-misuse,division-by-zero unknown(addresses)
//@ known: explicit memory,assertion,data-race,deadlock,lock-misuse,division-by-zero unknown(limit)
//@ known: portfolio memory,assertion,data-race,deadlock,lock-misuse,division-by-zero unknown(addresses)
//@ known: lockset deadlock unknown(unproved)
