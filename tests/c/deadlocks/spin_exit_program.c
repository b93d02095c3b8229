//@ property: deadlock verdict: safe
// A function that the loop calls ends the program when the flag is set.
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
    flag = 1;
    pthread_join(thread, 0);
    return 0;
}
