//@ property: data-race verdict: unsafe line: 23
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The function gives the mutex back before its caller uses what it returns. Line 23 races with itself.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static int *enter(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return &counter;
}

static void leave(void)
{
}

static void *count(void *unused)
{
    int *place = enter();
    ++*place;
    leave();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    count(0);
    pthread_join(thread, 0);
    return 0;
}
