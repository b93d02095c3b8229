//@ property: all verdict: safe
//@ run: gcc
// After the join the data belongs to the joining thread.
#include <pthread.h>

static int data, other;

static void *write_data(void *unused)
{
    data = 1;
    return unused;
}

static void *write_other(void *unused)
{
    other = 1;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, write_data, 0);
    pthread_create(&two, 0, write_other, 0);
    pthread_join(one, 0);
    data++;
    pthread_join(two, 0);
    other++;
    return 0;
}
