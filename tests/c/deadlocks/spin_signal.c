//@ property: deadlock verdict: safe
// A daemon that polls the flag of its signal handler: the end comes from outside, so it does not spin.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

static void *serve(void *arg)
{
    while (!stop)
        usleep(1000);
    return arg;
}

int main(void)
{
    pthread_t thread;
    signal(SIGTERM, on_signal);
    pthread_create(&thread, 0, serve, 0);
    pthread_join(thread, 0);
    return 0;
}
