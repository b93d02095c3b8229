//@ property: assertion verdict: unsafe line: 24
// What is added to an address atomically was made of another one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static char bytes[300];
static int object;
static unsigned char shared;

static void *work(void *unused)
{
    shared = (unsigned char)(long)&object;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    atomic_long place = (long)bytes;
    atomic_fetch_add(&place, shared);
    assert(place == (long)bytes);
    return 0;
}

//@ known: order assertion unknown(addresses)
