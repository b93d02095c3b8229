//@ property: assertion,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: lock-misuse verdict: unsafe
// The mutex is destroyed before the threads that use it have been joined.
#include <pthread.h>

static pthread_mutex_t m;
static unsigned n;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_mutex_init(&m, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    pthread_mutex_destroy(&m);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return n == 2;
}

//@ known: lockset memory,assertion,deadlock,thread-misuse,division-by-zero unknown(unproved)
