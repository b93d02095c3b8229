//@ property: data-race verdict: safe
// "(void)x" says that x is not used.
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
    (void)x;
    pthread_join(thread, 0);
    return 0;
}
