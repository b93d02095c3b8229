//@ property: deadlock verdict: unsafe line: 11
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// An early return forgets the mutex. Blocked in lines 11, 25 and 26.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int left = 1;

static void *take(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (left == 0)
        return unused;
    left--;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, take, 0);
    pthread_create(&two, 0, take, 0);
    take(0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
