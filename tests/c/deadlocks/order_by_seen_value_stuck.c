//@ property: deadlock verdict: unsafe line: 27
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// Takes the second mutex only if it has seen the other thread at work: then they can meet. Blocked in lines
// 15 and 27.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int busy;

static void *work(void *unused)
{
    pthread_mutex_lock(&b);
    busy = 1;
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&a);
    if (busy) {
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
    }
    pthread_mutex_unlock(&a);
    pthread_join(thread, 0);
    return 0;
}
