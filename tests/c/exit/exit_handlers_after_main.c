//@ unsupported: 18 exit handlers
// The last thread to end runs the exit handlers; the model leaves that out.
#include <pthread.h>
#include <stdlib.h>

static int left;

static void handler(void)
{
    left = 1;
}

int main(void)
{
    pthread_t thread;
    (void)thread;
    atexit(handler);
    pthread_exit(0);
}
