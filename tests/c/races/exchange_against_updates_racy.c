//@ property: data-race verdict: unsafe
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Reads and writes of one thread against an exchange that succeeds in the middle of them.
#include <pthread.h>

static int a;

static void *work(void *unused)
{
    a = a + 2;
    a = a;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    __sync_bool_compare_and_swap(&a, 2, 1);
    pthread_join(thread, 0);
    return 0;
}
