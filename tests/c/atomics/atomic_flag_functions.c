//@ property: all verdict: safe
//@ model: atomic_flag_test_and_set atomic_flag_test_and_set_explicit atomic_flag_clear
//@ model: atomic_flag_clear_explicit atomic_thread_fence atomic_signal_fence __atomic_is_lock_free
// The functions behind the macros of <stdatomic.h>; the flag serves as a lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int x;

static void *add(void *arg) {
    while ((atomic_flag_test_and_set)(&flag))
        ;
    x++;
    (atomic_flag_clear)(&flag);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(x == 2);
    assert(!(atomic_flag_test_and_set_explicit)(&flag, memory_order_acquire));
    assert((atomic_flag_test_and_set_explicit)(&flag, memory_order_acquire));
    (atomic_flag_clear_explicit)(&flag, memory_order_release);
    (atomic_thread_fence)(memory_order_seq_cst);
    (atomic_signal_fence)(memory_order_seq_cst);
    assert(!atomic_flag_test_and_set(&flag));
    return 0;
}
