//@ property: data-race verdict: unsafe line: 22
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Two of three threads take the mutex. Lines 12 and 22 race.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *count(void *unused)
{
    pthread_mutex_lock(&mutex);
    data++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, count, 0);
    pthread_create(&two, 0, count, 0);
    data++;
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
