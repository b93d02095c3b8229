//@ property: deadlock verdict: safe
// The loop ends by a flag of its own, which it sets when it sees the shared one.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *run(void *arg)
{
    int stop = 0;
    while (!stop) {
        if (flag)
            stop = 1;
    }
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
//@ known: order deadlock unknown(loop-bound)
