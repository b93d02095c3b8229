//@ property: assertion, lock-misuse, memory, division-by-zero, deadlock verdict: safe
//@ property: data-race verdict: unsafe
// A loop starts ten thousand threads; two of them are enough for the race.
#include <pthread.h>

static int data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    data++;
    pthread_mutex_unlock(&lock);
    data = 0;
    return unused;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 10000; i++)
        pthread_create(&thread, 0, worker, 0);
    return 0;
}
