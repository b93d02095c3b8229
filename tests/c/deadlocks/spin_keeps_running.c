//@ property: deadlock verdict: safe
// Whatever comes, the loop tells itself to go on: it has no exit.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request, served;

static void *serve(void *arg)
{
    int running = 1;
    while (running) {
        if (request) {
            served = 1;
            running = 1;
        }
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, serve, 0);
    pthread_join(thread, 0);
    return 0;
}
