//@ property: null-deref verdict: unsafe line: 19
// The start routine is a number that nobody has set. The function that would race is not started by it, although its
// address is known as a number.
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
    volatile unsigned long other = (unsigned long)work;
    pthread_create(&thread, 0, (void *(*)(void *))routine, 0);
    work(0);
    (void)other;
    pthread_join(thread, 0);
    return 0;
}
