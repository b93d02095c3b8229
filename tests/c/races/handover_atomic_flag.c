//@ property: all verdict: safe
//@ run: gcc
// Who sees the atomic flag owns the data.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int given;

static void *give(void *unused)
{
    data = 1;
    data = 2;
    atomic_store(&given, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, give, 0);
    if (atomic_load(&given))
        data += 3;
    pthread_join(thread, 0);
    return 0;
}
