//@ property: out-of-bounds verdict: unsafe
// A number that another thread stores is no pointer to anything, though an object might lie there.
#include <pthread.h>

static int object, other;
static int *_Atomic shared;

static void *work(void *arg)
{
    shared = (int *)0x18000000000L;
    return arg;
}

int main(void)
{
    pthread_t thread;
    shared = &object;
    pthread_create(&thread, 0, work, &other);
    int *found = shared;
    *found = 1;
    pthread_join(thread, 0);
    return 0;
}

//@ known: order out-of-bounds unknown(invalid-access)
