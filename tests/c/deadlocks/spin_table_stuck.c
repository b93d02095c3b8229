//@ property: deadlock verdict: unsafe line: 11
// The loop ends when an entry of a table says so, and the flag is the index.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static const int go_on[2] = {1, 0};

static void *wait(void *arg)
{
    while (go_on[flag & 1])
        ;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    pthread_join(thread, 0);
    return 0;
}
