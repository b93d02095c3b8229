//@ property: deadlock verdict: safe
// A server that was told to go on after the first request has no exit.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request, served;

static void serve(int once)
{
    for (;;) {
        if (request) {
            request = 0;
            served = 1;
            if (once)
                break;
        }
    }
}

static void *run(void *arg)
{
    serve(0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
