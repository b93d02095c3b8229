//@ property: deadlock verdict: safe
// A function that the loop calls through a pointer ends the thread when the flag is set.
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
    flag = 1;
    pthread_join(thread, 0);
    return 0;
}
