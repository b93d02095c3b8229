//@ property: livelock verdict: safe
//@ property: deadlock verdict: safe
// Two threads poll a variable that a signal handler writes, and note that they did: the signal may still come.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static volatile sig_atomic_t stop;
static atomic_int noted;

static void handle(int number)
{
    stop = number;
}

static void *one(void *arg)
{
    while (!stop)
        atomic_store(&noted, 1);
    return arg;
}

static void *two(void *arg)
{
    while (!stop)
        atomic_store(&noted, 2);
    return arg;
}

int main(void)
{
    pthread_t first, second;
    signal(SIGTERM, handle);
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
//@ known: order livelock unknown(undecided)
