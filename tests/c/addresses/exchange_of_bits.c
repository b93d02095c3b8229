//@ property: assertion verdict: unsafe line: 22
// Whether a value is exchanged depends on bits of an address.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int object;
static atomic_long shared;

static void *work(void *unused)
{
    atomic_store(&shared, (long)&object & 0xff8);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    long expected = 0;
    assert(atomic_compare_exchange_strong(&shared, &expected, 1));
    return 0;
}

//@ known: order assertion unknown(addresses)
