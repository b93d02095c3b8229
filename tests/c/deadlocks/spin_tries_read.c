//@ property: deadlock verdict: safe
// Polls a flag that nobody sets, as often as a variable says; then it gives up. No iteration writes to memory.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, most;

static void *poll_flag(void *arg)
{
    int tries = atomic_load(&most);
    while (!atomic_load(&flag) && tries > 0)
        tries--;
    return arg;
}

int main(void)
{
    pthread_t thread;
    atomic_store(&most, 3);
    pthread_create(&thread, 0, poll_flag, 0);
    pthread_join(thread, 0);
    return 0;
}
