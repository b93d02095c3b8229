//@ property: all verdict: safe
//@ run: gcc
// A thread's result is a number, though its type is a pointer; and threads start threads.
#include <assert.h>
#include <pthread.h>

static void *next(void *arg)
{
    return (void *)(long)(*(int *)arg + 1);
}

static void *twice(void *arg)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, next, arg);
    pthread_join(thread, &result);
    return (void *)((long)result * 2);
}

int main(void)
{
    pthread_t thread;
    int number = 20;
    void *result;
    pthread_create(&thread, 0, twice, &number);
    pthread_join(thread, &result);
    int found = (int)(long)result;
    assert(found == 42);
    return 0;
}
