//@ property: data-race verdict: unsafe
// Two threads may get ids that differ by an even number.
#include <pthread.h>

static int buckets[2];

static void *count(void *arg)
{
    buckets[pthread_self() / 64 % 2]++;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
