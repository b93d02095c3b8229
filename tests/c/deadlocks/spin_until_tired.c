//@ property: deadlock verdict: safe
// A polling loop with an end in sight: it gives up after some rounds.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;

static void *poll_flag(void *arg)
{
    int tries = 0;
    while (!atomic_load(&flag) && tries < 3) {
        sched_yield();
        tries++;
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, poll_flag, 0);
    pthread_join(thread, 0);
    return 0;
}
