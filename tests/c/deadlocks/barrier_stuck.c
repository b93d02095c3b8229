//@ property: deadlock verdict: unsafe line: 10
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// A barrier for three, and two come. Blocked in line 10.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *meet(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 3);
    pthread_create(&thread, 0, meet, 0);
    meet(0);
    pthread_join(thread, 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
