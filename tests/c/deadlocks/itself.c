//@ property: all verdict: safe
//@ run: gcc
// The callee expects its caller to hold the mutex.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void add(int amount)
{
    counter += amount;
}

static void *add_two(void *unused)
{
    pthread_mutex_lock(&mutex);
    add(1);
    add(1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, add_two, 0);
    pthread_join(thread, 0);
    return 0;
}
