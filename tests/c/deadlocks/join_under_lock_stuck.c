//@ property: deadlock verdict: unsafe line: 23
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// Waits for a thread that needs the mutex that the waiting thread holds. Blocked in lines 11 and 23.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused)
{
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_join(thread, 0);
    pthread_mutex_unlock(&mutex);
    return 0;
}
