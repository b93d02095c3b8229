//@ property: memory-leak verdict: unsafe
//@ property: memory-cleanup verdict: unsafe
// The program ends when its last thread has ended; nobody returns from main.
#include <pthread.h>
#include <stdlib.h>

static void *quiet(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, quiet, 0);
    malloc(4);
    pthread_exit(0);
}

//@ known: order all unknown(unsupported)
