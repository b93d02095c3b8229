//@ property: null-deref verdict: unsafe line: 24
// The handle of the second thread is stored through null. What that thread would do with ids does not happen.
#include <assert.h>
#include <pthread.h>

static pthread_t first, second;

static void *nothing(void *unused)
{
    return unused;
}

static void *compare(void *unused)
{
    pthread_t old = first;
    assert(old != pthread_self());
    return unused;
}

int main(void)
{
    pthread_create(&first, 0, nothing, 0);
    pthread_join(first, 0);
    pthread_create((pthread_t *)second, 0, compare, 0);
    pthread_join(second, 0);
    return 0;
}
