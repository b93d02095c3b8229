//@ property: data-race verdict: safe
// The section only reads, and the exchange fails while the section is still to come.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int a;
static int seen;

static void *work(void *unused)
{
    __VERIFIER_atomic_begin();
    seen = a;
    __VERIFIER_atomic_end();
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
