//@ property: deadlock verdict: safe
//@ model: pause
// Main waits for a signal for ever: it is not blocked by any thread, and an endless loop is not spinning.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int done;

static void *work(void *arg)
{
    done = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    for (;;)
        pause();
}
