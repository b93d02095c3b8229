//@ property: all verdict: safe
// A thread runs a function without a result, and nobody asks for one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int x;

static void work(int *arg)
{
    pthread_setspecific(key, malloc(4));
    *arg = 1;
}

int main(void)
{
    pthread_t thread;
    void *result = 0;
    pthread_key_create(&key, free);
    pthread_create(&thread, 0, (void *(*)(void *))work, &x);
    pthread_join(thread, 0);
    assert(result == 0);
    return x != 1;
}
