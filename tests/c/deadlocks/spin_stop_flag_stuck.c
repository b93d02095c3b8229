//@ property: deadlock verdict: unsafe line: 12
// Nobody sets the shared flag, so the loop never sets its own one.
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
    pthread_join(thread, 0);
    return 0;
}
