//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Producers and consumers without end, any number of each; the count stays within the buffer.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int buffer[4], count;

static void *produce(void *unused)
{
    pthread_mutex_lock(&m);
    while (count == 4)
        pthread_cond_wait(&changed, &m);
    buffer[count++] = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *consume(void *unused)
{
    pthread_mutex_lock(&m);
    while (count == 0)
        pthread_cond_wait(&changed, &m);
    buffer[--count] = 0;
    assert(count >= 0 && count < 4);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, __VERIFIER_nondet_int() ? produce : consume, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
//@ known: portfolio all unknown(loop-bound)
//@ known: lockset deadlock unknown(unproved)
