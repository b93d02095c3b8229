//@ property: all verdict: safe
//@ run: gcc
// Looks, and does not write the value that is there already.
#include <pthread.h>

static int mode = 1;

static void *look(void *unused)
{
    return mode == 1 ? unused : &mode;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    if (mode != 1)
        mode = 1;
    pthread_join(thread, 0);
    return 0;
}
