//@ property: null-deref verdict: unsafe line: 18
//@ property: data-race verdict: unknown
// The start routine is a number that nobody has set: if a function were called, it would race.
#include <pthread.h>

static int cell;

static void *work(void *arg)
{
    cell = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    unsigned long routine;
    pthread_create(&thread, 0, (void *(*)(void *))routine, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
