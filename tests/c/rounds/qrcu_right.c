//@ property: all verdict: safe
//@ bounds: unwind 1 rounds 2
// qrcu.c repaired: the updater publishes the new version before it looks for readers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* The counter in use is one larger than the number of its readers. */
static atomic_int readers[2] = {1, 0}, in_use;
static atomic_int version, retired[2];

static int enter(void)
{
    for (;;) {
        int side = in_use;
        int count = readers[side];
        if (count > 0 && atomic_compare_exchange_strong(&readers[side], &count, count + 1))
            return side;
    }
}

static void wait_for_readers(void)
{
    if (readers[0] + readers[1] > 1) {
        int side = in_use;
        readers[!side]++;
        in_use = !side;
        readers[side]--;
        while (readers[side] > 0)
            ;
    }
}

static void *update(void *arg)
{
    version = 1;
    wait_for_readers();
    retired[0] = 1;
    return arg;
}

static void *read_version(void *arg)
{
    int side = enter();
    int mine = version;
    assert(!retired[mine]);
    readers[side]--;
    return arg;
}

int main(void)
{
    pthread_t updater, reader;
    pthread_create(&updater, 0, update, 0);
    pthread_create(&reader, 0, read_version, 0);
    pthread_join(updater, 0);
    pthread_join(reader, 0);
    return 0;
}
