/* Atomic operations that are real functions: those behind the macros of <stdatomic.h>. */

_Bool atomic_flag_test_and_set(volatile _Bool *flag)
{
    return __atomic_test_and_set(flag, 5);
}

_Bool atomic_flag_test_and_set_explicit(volatile _Bool *flag, int order)
{
    return __atomic_test_and_set(flag, 5);
}

void atomic_flag_clear(volatile _Bool *flag)
{
    __atomic_clear(flag, 5);
}

void atomic_flag_clear_explicit(volatile _Bool *flag, int order)
{
    __atomic_clear(flag, 5);
}

void atomic_thread_fence(int order)
{
    __atomic_thread_fence(5);
}

void atomic_signal_fence(int order)
{
}

_Bool __atomic_is_lock_free(size_t size, const volatile void *object)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}
