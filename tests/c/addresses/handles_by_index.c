//@ property: all verdict: safe
// Handles in an array: one thread stores them, another one joins what they name.
#include <pthread.h>

static pthread_t threads[3];
static int started, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *starter(void *unused)
{
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[started++], 0, work, 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, starter, 0);
    pthread_join(thread, 0);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], 0);
    return sum != 2;
}
