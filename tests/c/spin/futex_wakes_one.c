//@ property: all verdict: safe
//@ property: deadlock verdict: unsafe
// Two sleep, one is woken.
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
    pthread_t a, b;
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, waiter, 0);
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
