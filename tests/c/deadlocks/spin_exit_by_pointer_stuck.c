//@ property: deadlock verdict: unsafe line: 10
// A function that the loop calls through a pointer would end the thread, but nobody sets the flag.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void look(void)
{
    if (flag)
        pthread_exit(0);
}

static void *run(void *arg)
{
    void (*volatile call)(void) = look;
    while (1)
        call();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
