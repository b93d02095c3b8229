//@ property: all verdict: safe
//@ run: gcc
// The reader goes when all three steps are done.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int steps;
static int data;

static void *work(void *unused)
{
    steps++;
    steps++;
    data = 1;
    steps++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (steps == 3)
        data = 2;
    pthread_join(thread, 0);
    return 0;
}
