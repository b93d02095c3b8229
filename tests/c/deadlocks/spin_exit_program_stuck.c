//@ property: deadlock verdict: unsafe line: 11
// A function that the loop calls would end the program, but nobody sets the flag.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void look(void)
{
    if (flag)
        exit(0);
}

static void *run(void *arg)
{
    while (1)
        look();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
