//@ property: data-race verdict: unsafe line: 17
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The producer goes on with the data after it has signalled and unlocked. Lines 17 and 29 race.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void *produce(void *unused)
{
    data = 1;
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    data = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, produce, 0);
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    data++;
    pthread_join(thread, 0);
    return 0;
}
