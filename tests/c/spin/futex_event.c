//@ property: all verdict: safe
//@ run: gcc
// The word is changed first: whoever comes late does not sleep, whoever sleeps is woken.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int data;

static void *waiter(void *arg) {
    while (atomic_load(&word) == 0) {
        long r = syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
        assert(r == 0 || (r == -1 && errno == EAGAIN));
    }
    assert(data == 5);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, waiter, 0);
    data = 5;
    atomic_store(&word, 1);
    long woken = syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    assert(woken >= 0 && woken <= 2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

//@ known: order deadlock unknown(limit)
