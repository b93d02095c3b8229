//@ property: deadlock verdict: safe
// The server looks for a job and goes on serving if there is none: one loop without an exit, unlike a wait at its
// beginning.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int posted;

static void *serve(void *arg)
{
    for (;;) {
        if (atomic_load(&posted))
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
