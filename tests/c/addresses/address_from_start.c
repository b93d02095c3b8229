//@ unsupported: 13 control depends on addresses
// What a thread reads as a number was an address before the thread was started.
#include <assert.h>
#include <pthread.h>

static int x, seen;
static _Atomic long number = (long)&x;

static void *look(void *unused)
{
    (void)unused;
    seen = 1;
    if (number & 0xff0)
        seen = 2;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    number = 0;
    pthread_join(thread, 0);
    assert(seen);
    return 0;
}
