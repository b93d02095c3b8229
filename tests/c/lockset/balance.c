//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Withdrawals that look at the balance in the section in which they take from it.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *worker(void *unused)
{
    int amount = __VERIFIER_nondet_int();
    if (amount < 0 || amount > 100)
        return unused;
    pthread_mutex_lock(&m);
    if (balance >= amount)
        balance -= amount;
    assert(balance >= 0);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
//@ known: portfolio all unknown(loop-bound)
//@ known: lockset assertion unknown(unproved)
