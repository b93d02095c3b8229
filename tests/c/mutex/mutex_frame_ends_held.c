//@ property: lock-misuse verdict: unsafe
//@ property: assertion,data-race,deadlock,memory verdict: safe
// The function returns with its own mutex held.
#include <pthread.h>

static int count(int *value)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    return ++*value;
}

int main(void)
{
    int value = 0;
    count(&value);
    return 0;
}
