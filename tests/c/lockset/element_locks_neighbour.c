//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 18
// Each account has a lock of its own; any number of threads pay into the account behind the one they lock.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static struct account {
    pthread_mutex_t m;
    unsigned balance;
} accounts[3];

static void *worker(void *unused)
{
    unsigned i = __VERIFIER_nondet_int();
    struct account *p = &accounts[i % 3];
    pthread_mutex_lock(&p->m);
    accounts[(i + 1) % 3].balance++;
    pthread_mutex_unlock(&p->m);
    return unused;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 3; i++)
        pthread_mutex_init(&accounts[i].m, 0);
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit all unknown(limit)
