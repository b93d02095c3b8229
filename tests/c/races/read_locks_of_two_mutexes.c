//@ property: all verdict: safe
//@ run: gcc
// A writer holds both mutexes, a reader one of them: no two accesses lack a common mutex.
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *read_by_one(void *unused)
{
    pthread_mutex_lock(&one);
    int seen = data;
    pthread_mutex_unlock(&one);
    return seen > 1 ? &data : unused;
}

static void *read_by_two(void *unused)
{
    pthread_mutex_lock(&two);
    int seen = data;
    pthread_mutex_unlock(&two);
    return seen > 1 ? &data : unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, read_by_one, 0);
    pthread_create(&second, 0, read_by_two, 0);
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    data = 1;
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
