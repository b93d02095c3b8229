//@ unsupported: 14 joining something that is no thread
// The last step of the program, which is given up before it is one.
#include <pthread.h>

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join((pthread_t)12345, 0);
    return 0;
}
