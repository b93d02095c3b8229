//@ property: data-race verdict: unsafe line: 9
// A value that is read and dropped is read.
#include <pthread.h>

static int x;

static void *writer(void *arg)
{
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    x;
    pthread_join(thread, 0);
    return 0;
}
