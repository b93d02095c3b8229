//@ property: deadlock verdict: unsafe line: 13
// One thread takes a lock and gives it back in one step, round by round; the other one tries it and always succeeds, so
// neither ever leaves its loop.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop;

static void *pass(void *unused)
{
    while (!stop) {
        __VERIFIER_atomic_begin();
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        __VERIFIER_atomic_end();
    }
    return unused;
}

static void *try_it(void *unused)
{
    while (pthread_mutex_trylock(&m) == 0)
        pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, pass, 0);
    pthread_create(&two, 0, try_it, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
//@ known: order deadlock unknown(loop-bound)
