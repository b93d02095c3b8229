//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
// Which lock is taken is decided at run time; threads that take the same one exclude each other.
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

static struct account {
    pthread_mutex_t lock;
    int money;
} accounts[2] = { { PTHREAD_MUTEX_INITIALIZER, 0 }, { PTHREAD_MUTEX_INITIALIZER, 0 } };

static void *pay(void *arg) {
    struct account *account = &accounts[__VERIFIER_nondet_bool()];
    pthread_mutex_lock(&account->lock);
    account->money++;
    pthread_mutex_unlock(&account->lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pay, 0);
    pthread_create(&b, 0, pay, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(accounts[0].money + accounts[1].money == 2);
    return 0;
}
