//@ property: data-race verdict: unsafe line: 12
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Goes on when the mutex was not to be had. Line 12 races with itself.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused)
{
    int failed = pthread_mutex_trylock(&mutex);
    counter++;
    if (!failed)
        pthread_mutex_unlock(&mutex);
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
