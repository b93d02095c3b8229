//@ property: all verdict: safe
//@ run: gcc
// Of three threads the one that comes last uses the data.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int arrived;
static int data;

static void *arrive(void *unused)
{
    if (atomic_fetch_add(&arrived, 1) >= 2)
        data++;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, arrive, 0);
    pthread_create(&two, 0, arrive, 0);
    arrive(0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
