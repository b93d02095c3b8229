//@ property: all verdict: safe
//@ run: gcc
// Two threads work on every other element.
#include <pthread.h>

static int cell[5];

static void *work(void *argument)
{
    int own = (int)(long)argument;
    for (int k = own; k < 4; k += 2)
        cell[k] = own;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)1);
    work((void *)0);
    pthread_join(thread, 0);
    return 0;
}
