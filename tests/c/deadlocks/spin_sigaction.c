//@ property: deadlock verdict: safe
// The same with a handler installed by sigaction; the handler calls a function that sets the flag.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int stop;

static void end(void)
{
    atomic_store(&stop, 1);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info, (void)context;
    end();
}

int main(void)
{
    struct sigaction action = {0};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGINT, &action, 0);
    while (!atomic_load(&stop))
        ;
    return 0;
}
