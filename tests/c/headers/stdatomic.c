//@ property: all verdict: safe
//@ run: gcc
// stdatomic.h: initialisers, lock-free macros, types.
#include <stdatomic.h>
#include <stdio.h>

static atomic_int counter = ATOMIC_VAR_INIT(5);
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(struct { short a, b; }) pair;

int main(void) {
    atomic_ulong wide;
    atomic_init(&wide, 1ul << 40);
    printf("%d %lu\n", atomic_load(&counter), atomic_load(&wide));
    printf("%d %d %d\n", ATOMIC_INT_LOCK_FREE, ATOMIC_POINTER_LOCK_FREE, ATOMIC_BOOL_LOCK_FREE);
    printf("%d %d\n", atomic_is_lock_free(&counter), atomic_flag_test_and_set(&flag));
    printf("%zu %zu %zu\n", sizeof(atomic_bool), sizeof(atomic_llong), sizeof(atomic_uintptr_t));
    printf("%zu\n", sizeof pair);
    printf("%d %d\n", memory_order_relaxed, memory_order_seq_cst);
    atomic_thread_fence(memory_order_acquire);
    atomic_signal_fence(memory_order_seq_cst);
    printf("%d\n", kill_dependency(7));
    return 0;
}
