//@ property: deadlock verdict: safe
// The inner loop serves while there is something to do; the outer one, which has no exit, goes round when there is not.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int posted;

static void *serve(void *arg)
{
    for (;;) {
        while (atomic_load(&posted))
            atomic_fetch_sub(&posted, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, 0, serve, 0);
    atomic_store(&posted, 2);
    pthread_join(server, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
