//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Each of two threads is joined once.
#include <pthread.h>

static int x;

static void *worker(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(u, 0);
    return x;
}
