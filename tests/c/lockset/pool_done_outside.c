//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 18
// A pool of workers; each counts what it has done after it has given the lock back.
#include <pthread.h>

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
        pthread_mutex_unlock(&m);
        done++;
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&t, 0, worker, 0);
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        tasks++;
        pthread_cond_signal(&work);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

//@ known: order memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: lockset deadlock unknown(unproved)
