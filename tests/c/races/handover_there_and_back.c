//@ property: all verdict: safe
//@ run: gcc
// The data goes there and comes back, by one atomic variable.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int owner;

static void *work(void *unused)
{
    if (atomic_load(&owner) == 1) {
        data++;
        atomic_store(&owner, 2);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    data = 1;
    atomic_store(&owner, 1);
    if (atomic_load(&owner) == 2)
        assert(data == 2);
    pthread_join(thread, 0);
    return 0;
}
