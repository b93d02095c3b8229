//@ property: out-of-bounds verdict: unsafe line: 16
// An index from outside that is refused if it is too large, but not if it is negative.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned table[16];

static void *worker(void *unused)
{
    int i = __VERIFIER_nondet_int();
    if (i >= 16)
        return unused;
    pthread_mutex_lock(&m);
    table[i]++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: explicit out-of-bounds unknown(limit)
