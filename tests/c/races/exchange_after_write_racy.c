//@ property: data-race verdict: unsafe line: 21
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The plain read comes after the store: the exchange may be about to succeed then. Lines 13 and 21 race.
#include <pthread.h>
#include <stdatomic.h>

static int a;
static int seen;

static void *work(void *unused)
{
    __atomic_store_n(&a, 2, __ATOMIC_SEQ_CST);
    seen = a;
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
