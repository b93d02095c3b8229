//@ property: all verdict: safe
// Numbers that are not known are printed: the text does not matter, the strings that are read do.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long count;
static double share = 0.5;
static char name[4] = "abc";

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    count++;
    share /= 2;
    name[1] = 0;
    printf("%ld %g %5.2f %s\n", count, share, share, name);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_mutex_lock(&m);
    fprintf(stderr, "%6.3s %p %ld\n", name, (void *)name, count);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
