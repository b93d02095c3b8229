//@ property: all verdict: safe
//@ run: gcc
// What a thread has joined is done for those who join that thread.
#include <pthread.h>

static int data;

static void *write_data(void *unused)
{
    data = 1;
    return unused;
}

static void *pass(void *unused)
{
    pthread_t inner;
    pthread_create(&inner, 0, write_data, 0);
    pthread_join(inner, 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, pass, 0);
    pthread_join(thread, 0);
    data++;
    return 0;
}
