//@ property: all verdict: safe
//@ run: gcc
// Every access is atomic.
#include <pthread.h>

static int counter;

static void *count(void *unused)
{
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    int seen = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
    pthread_join(thread, 0);
    return seen > 1;
}
