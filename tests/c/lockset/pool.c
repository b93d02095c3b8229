//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A pool of any number of workers that wait for tasks on a condition variable; main submits without end.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static unsigned tasks, done;

static void *worker(void *unused)
{
    while (1) {
        pthread_mutex_lock(&m);
        while (tasks == 0)
            pthread_cond_wait(&work, &m);
        tasks--;
        done++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    while (1) {
        pthread_mutex_lock(&m);
        tasks++;
        pthread_cond_signal(&work);
        pthread_mutex_unlock(&m);
    }
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
//@ known: portfolio all unknown(loop-bound)
//@ known: lockset deadlock unknown(unproved)
