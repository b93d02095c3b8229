//@ property: deadlock verdict: unsafe line: 12
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// A cycle of three mutexes; any two of the threads agree. Blocked in line 12.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                       c = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *take_ab(void *unused)
{
    take(&a, &b);
    return unused;
}

static void *take_bc(void *unused)
{
    take(&b, &c);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, take_ab, 0);
    pthread_create(&two, 0, take_bc, 0);
    take(&c, &a);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
