//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Each account has a lock of its own; any number of threads pay into accounts of their choice.
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
    p->balance++;
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

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
