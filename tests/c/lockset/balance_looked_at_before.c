//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: assertion verdict: unsafe line: 23
// Withdrawals that look at the balance in one section and take from it in another.
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
    int enough = balance >= amount;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    if (enough)
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

//@ known: order memory,misuse,data-race,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit all unknown(limit)
