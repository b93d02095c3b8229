//@ unsupported: 23 control depends on addresses
// Half of an address in shared memory is overwritten: the rest is no pointer to anything known.
#include <pthread.h>

static int object;
static union {
    void *pointer;
    int halves[2];
} shared;

static void *work(void *unused)
{
    shared.pointer = &object;
    shared.halves[1] = 0;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    if (shared.pointer)
        object = 1;
    return 0;
}
