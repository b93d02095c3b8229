//@ property: deadlock verdict: safe
// The only way out of the loop is a call that ends the thread.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *wait(void *arg)
{
    for (;;) {
        if (flag)
            pthread_exit(arg);
    }
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    flag = 1;
    pthread_join(thread, 0);
    return 0;
}
