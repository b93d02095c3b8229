//@ property: deadlock verdict: safe
// Main's return ends the program, and the thread that spins with it.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *poll_flag(void *arg)
{
    while (!atomic_load(&flag))
        ;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, poll_flag, 0);
    return 0;
}
