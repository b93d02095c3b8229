//@ property: all verdict: safe
//@ property: lock-misuse verdict: unsafe line: 34
//@ run: gcc
//@ model: pthread_mutex_init pthread_mutex_destroy
// A mutex on the heap: made, used, destroyed; using it after that fails.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static void *pay_in(void *arg) {
    struct account *a = arg;
    pthread_mutex_lock(&a->lock);
    a->balance += 5;
    pthread_mutex_unlock(&a->lock);
    return 0;
}

int main(void) {
    struct account *a = malloc(sizeof *a);
    pthread_t t;
    assert(pthread_mutex_init(&a->lock, 0) == 0);
    a->balance = 1;
    pthread_create(&t, 0, pay_in, a);
    pay_in(a);
    pthread_join(t, 0);
    assert(a->balance == 11);
    assert(pthread_mutex_destroy(&a->lock) == 0);
    assert(pthread_mutex_lock(&a->lock) == EINVAL);
    free(a);
    return 0;
}
