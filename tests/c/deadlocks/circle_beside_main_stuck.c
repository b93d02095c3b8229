//@ property: deadlock verdict: unsafe line: 11
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// Two threads wait for each other, in lines 11 and 20, while main can go on: nobody but the two waits.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *there(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *back(void *unused)
{
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, there, 0);
    pthread_create(&b, 0, back, 0);
    return 0;
}
