//@ property: deadlock verdict: unsafe line: 12
//@ property: assertion,data-race,memory verdict: safe
//@ property: lock-misuse verdict: unsafe
// The callee takes the mutex that its caller holds. Blocked in line 12.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void add(int amount)
{
    pthread_mutex_lock(&mutex);
    counter += amount;
    pthread_mutex_unlock(&mutex);
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
