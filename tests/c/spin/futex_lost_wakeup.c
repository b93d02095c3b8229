//@ property: all verdict: safe
//@ property: deadlock verdict: unsafe
// The word is not changed before the wake-up: a waiter that comes late sleeps for ever.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *waiter(void *arg) {
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    pthread_join(t, 0);
    return 0;
}
