//@ property: data-race verdict: unsafe line: 14
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// On one path the mutex is not taken. Lines 14 and 17 race.
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void count(_Bool quick)
{
    if (quick) {
        counter++;
    } else {
        pthread_mutex_lock(&mutex);
        counter += 2;
        pthread_mutex_unlock(&mutex);
    }
}

static void *work(void *unused)
{
    count(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    _Bool quick = __VERIFIER_nondet_bool();
    pthread_create(&thread, 0, work, 0);
    count(quick);
    pthread_join(thread, 0);
    return 0;
}
