//@ property: all verdict: safe
//@ property: deadlock verdict: unsafe
// Somebody sleeps at one word, and another one is woken.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int words[2];

static void *waiter(void *arg) {
    syscall(SYS_futex, &words[0], FUTEX_WAIT, 0, NULL, NULL, 0);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    atomic_store(&words[0], 1);
    syscall(SYS_futex, &words[1], FUTEX_WAKE, 1, NULL, NULL, 0);
    pthread_join(t, 0);
    return 0;
}
