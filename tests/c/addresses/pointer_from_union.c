//@ unsupported: 24 control depends on addresses
// Bits of an address, read from shared memory as a number, become a pointer in a union of its own.
#include <pthread.h>

static int object;
static long shared;

static void *work(void *unused)
{
    shared = (long)&object & ~0xffL;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    union {
        long number;
        int *pointer;
    } own;
    own.number = shared;
    if (own.pointer == &object)
        object = 1;
    return 0;
}
