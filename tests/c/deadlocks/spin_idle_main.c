//@ property: deadlock verdict: safe
// Main has nothing more to do and never ends: a loop without an exit is no spinning.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int done;

static void *work(void *arg)
{
    atomic_store(&done, 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    while (1)
        sleep(1);
}
