//@ property: invalid-free verdict: unsafe line: 11
// Whether something is freed depends on bits of an address.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int object;

static void *work(void *unused)
{
    free((void *)((long)&object & 0xff8));
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);

    return 0;
}

//@ known: order invalid-free unknown(addresses)
