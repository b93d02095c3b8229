// A flag that says "the result is there". FIXED: it is atomic.
#include <pthread.h>
#ifdef FIXED
#include <stdatomic.h>
static atomic_int ready;
#else
static int ready;
#endif
static int result;

static void *compute(void *unused)
{
    (void)unused;
    result = 42;
    ready = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, compute, 0);
    int seen = ready ? result : 0;
    pthread_join(thread, 0);
    return seen != 0 && seen != 42;
}
