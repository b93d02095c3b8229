//@ property: deadlock verdict: safe
// A server that begins its next round early when there is nothing to do.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int posted;

static void *serve(void *arg)
{
    while (1) {
        if (!atomic_load(&posted))
            continue;
        atomic_store(&posted, 0);
    }
    return arg;
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, 0, serve, 0);
    atomic_store(&posted, 1);
    pthread_join(server, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
