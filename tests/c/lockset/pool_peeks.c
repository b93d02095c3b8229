//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe
// A pool of workers that look for tasks before they take the lock.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static unsigned tasks, done;

static void *worker(void *unused)
{
    for (int i = 0; i < 2; i++) {
        if (tasks == 0)
            continue;
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

//@ known: lockset deadlock unknown(unproved)
