// Two writers ask for room and then both use the last place. FIXED: asking and taking is one step.
#include <pthread.h>
#include <stdatomic.h>

static int items[1];
static atomic_int count;

static void *put(void *unused)
{
    (void)unused;
#ifdef FIXED
    int at = count++;
    if (at < 1)
        items[at] = 1;
#else
    if (count < 1)
        items[count++] = 1;
#endif
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, put, 0);
    put(0);
    pthread_join(thread, 0);
    return 0;
}
