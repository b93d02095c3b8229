//@ property: deadlock verdict: safe
// The server serves whoever asks, for ever; that nobody asks any more is no deadlock.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request, served;

static void *serve(void *arg)
{
    int running = 1;
    while (running) {
        if (atomic_load(&request)) {
            atomic_store(&request, 0);
            atomic_store(&served, 1);
        }
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, serve, 0);
    atomic_store(&request, 1);
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(limit)
