//@ property: all verdict: safe
//@ run: gcc
// signal.h, time.h and sys/time.h: types, constants, arithmetic on times.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

static volatile sig_atomic_t flag;
static void on_signal(int s) { flag = s; }

int main(void) {
    printf("%d %d %d %d\n", SIGINT, SIGTERM, SIGSEGV, SIGABRT);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    action.sa_handler(SIGINT);
    printf("%d %d\n", flag, action.sa_handler == on_signal);
    printf("%zu %d\n", sizeof(sigset_t), SIG_IGN != SIG_DFL);
    struct timespec ts = {.tv_sec = 3, .tv_nsec = 999999999};
    ts.tv_nsec += 2;
    ts.tv_sec += ts.tv_nsec / 1000000000;
    ts.tv_nsec %= 1000000000;
    printf("%ld %ld\n", (long)ts.tv_sec, ts.tv_nsec);
    struct timeval a = {1, 700000}, b = {2, 600000}, sum, diff;
    timeradd(&a, &b, &sum);
    timersub(&b, &a, &diff);
    printf("%ld.%06ld %ld.%06ld %d\n", (long)sum.tv_sec, (long)sum.tv_usec, (long)diff.tv_sec, (long)diff.tv_usec, timercmp(&a, &b, <));
    struct tm tm = {.tm_year = 124, .tm_mon = 1, .tm_mday = 29};
    printf("%d-%02d-%02d\n", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
    printf("%ld %d\n", (long)CLOCKS_PER_SEC, CLOCK_MONOTONIC);
    printf("%d %d\n", time(NULL) > 0, clock() >= 0);
    return 0;
}

//@ known: explicit all unknown(cut)
