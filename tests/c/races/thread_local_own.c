//@ property: all verdict: safe
//@ run: gcc
// Each thread has its own.
#include <pthread.h>

static _Thread_local int own;

static void *work(void *unused)
{
    own++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
