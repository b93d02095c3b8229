//@ property: data-race verdict: unsafe line: 12
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// One thread is already in the next phase, and the other one writes in it, too. Lines 12 and 22 race.
#include <pthread.h>

static pthread_barrier_t barrier;
static int data;

static void *first(void *unused)
{
    pthread_barrier_wait(&barrier);
    data = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, first, 0);
    pthread_barrier_wait(&barrier);
    data++;
    pthread_join(thread, 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
