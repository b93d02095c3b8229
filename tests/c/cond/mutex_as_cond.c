//@ property: deadlock verdict: unsafe
// Waits at a mutex as if it were a condition variable, while another thread locks it: the bit of the waiting thread in its
// memory is the number of a thread in one way of numbering them.
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
        pthread_cond_wait((void *)&outer, &inner);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    pthread_join(thread, 0);
    return 0;
}
