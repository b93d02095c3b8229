//@ property: all verdict: safe
// The exchange succeeds only after the thread has stored 2, and by then the plain read is over: while the thread is
// about to read, the exchange would fail, and two reads do not race.
#include <pthread.h>
#include <stdatomic.h>

static int a;
static int seen;

static void *work(void *unused)
{
    seen = a;
    __atomic_store_n(&a, 2, __ATOMIC_SEQ_CST);
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
