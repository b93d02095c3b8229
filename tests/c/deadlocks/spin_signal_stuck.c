//@ property: deadlock verdict: unsafe line: 11
// The handler that would set the flag is not installed, and nobody else sets it.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void *serve(void *arg)
{
    while (!stop)
        usleep(1000);
    return arg;
}

int main(void)
{
    pthread_t thread;
    signal(SIGTERM, SIG_IGN);
    pthread_create(&thread, 0, serve, 0);
    pthread_join(thread, 0);
    return 0;
}
