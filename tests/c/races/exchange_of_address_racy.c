//@ property: data-race verdict: unsafe line: 9
// The exchange finds 2 only if the address of the function happens to end so, which no execution may rely on: its read
// races with the write, its own write does not happen.
#include <pthread.h>

static int a;
static void *work(void *unused)
{
    a = (int)(unsigned long)work + 2;
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
