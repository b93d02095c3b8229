//@ property: deadlock verdict: safe
// The flag is read as part of a record that is copied.
#include <pthread.h>

static struct record { int done, value; } shared;

static void *wait(void *arg)
{
    struct record copy;
    do
        // The report stands at the copy.
        copy = shared;
    while (!copy.done);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    shared.done = 1;
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
