//@ property: lock-misuse verdict: unsafe line: 18
//@ property: assertion,memory verdict: safe
// Initialising a mutex that a thread may hold.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_init(&m, 0);
    pthread_join(t, 0);
    return 0;
}
