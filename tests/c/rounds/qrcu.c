//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 49
//@ bounds: unwind 1 rounds 2
// Quick read-copy-update: readers count themselves in one of two counters, and the updater retires the old version when
// they have left. The bug: the updater looks for readers before it has published the new version, so that a reader may
// still take the old one. qrcu in table 1 of Inverso et al. (CAV 2014), there with unwind 1 and 2 rounds.
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
    wait_for_readers();
    version = 1;
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
