//@ property: all verdict: safe
//@ run: gcc
//@ model: signal sigaction sigemptyset sigfillset sigaddset sigdelset sigismember pthread_sigmask sigprocmask
// Handlers are remembered, masks are kept; no signal comes.
#include <errno.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t stop;
static void on_signal(int number) { stop = number; }

int main(void) {
    printf("%d\n", signal(SIGPIPE, SIG_IGN) == SIG_DFL);
    printf("%d\n", signal(SIGPIPE, on_signal) == SIG_IGN);
    printf("%d\n", signal(SIGPIPE, SIG_DFL) == on_signal);
    errno = 0;
    printf("%d", signal(SIGKILL, on_signal) == SIG_ERR);
    printf(" %d\n", errno == EINVAL);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGTERM);
    printf("%d", sigaction(SIGINT, &action, 0));
    printf(" %d", sigaction(SIGINT, 0, &old));
    printf(" %d %d %d\n", old.sa_handler == on_signal, sigismember(&old.sa_mask, SIGTERM),
           sigismember(&old.sa_mask, SIGINT));
    printf("%d %d\n", sigaction(SIGSTOP, &action, 0), sigaction(1000, &action, 0));
    sigset_t set, before;
    sigfillset(&set);
    sigdelset(&set, SIGHUP);
    printf("%d %d %d\n", sigismember(&set, SIGHUP), sigismember(&set, SIGUSR1), sigismember(&set, 0));
    printf("%d\n", pthread_sigmask(SIG_BLOCK, &set, &before));
    printf("%d\n", pthread_sigmask(SIG_BLOCK, 0, &set));
    printf("%d %d %d\n", sigismember(&set, SIGUSR1), sigismember(&set, SIGKILL), sigismember(&before, SIGUSR1));
    printf("%d %d\n", pthread_sigmask(77, &set, 0) == EINVAL, sigprocmask(77, &set, 0));
    sigprocmask(SIG_SETMASK, &before, 0);
    printf("%d\n", (int)stop);
    return 0;
}
