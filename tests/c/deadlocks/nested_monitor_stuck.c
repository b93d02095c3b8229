//@ property: deadlock verdict: unsafe line: 28
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// Waits for a signal while it holds a mutex that the signalling thread needs. Blocked in lines 12 and 28.
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void *tell(void *unused)
{
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, tell, 0);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    while (!ready)
        pthread_cond_wait(&cond, &inner);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    pthread_join(thread, 0);
    return 0;
}
