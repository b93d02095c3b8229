//@ property: all verdict: safe
//@ run: gcc
// The argument is complete before the thread is started.
#include <pthread.h>

static int result;

static void *work(void *argument)
{
    result = *(int *)argument;
    return 0;
}

int main(void)
{
    pthread_t thread;
    int value = 1;
    value = 2;
    pthread_create(&thread, 0, work, &value);
    pthread_join(thread, 0);
    return 0;
}
