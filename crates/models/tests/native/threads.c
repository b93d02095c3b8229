/* The operations on threads. The texts that use them are compiled and linked like all others, but there
   is nothing to compare them with here: their meaning is tested by the fixtures on threads. */
#include <stdlib.h>

#define OPERATION(name) \
    void name(void) { abort(); }

/* With one thread everything is atomic. */
void __braid_atomic_begin(void) {}
void __braid_atomic_end(void) {}
int __braid_uses_cancel(void) { return 0; }
int __braid_uses_files(void) { return 0; }
int __braid_uses_ferror(void) { return 1; }
int __braid_uses_sem_destroy(void) { return 1; }
int __braid_uses_zone(void) { return 0; }
/* Calls succeed, as they do natively. */
_Bool __braid_call_fails(void) { return 0; }

OPERATION(__braid_spawn)
OPERATION(__braid_other_environment)
OPERATION(__braid_other_locale)
OPERATION(__braid_random_int)
OPERATION(__braid_random_long_long)
OPERATION(__braid_join)
OPERATION(__braid_detach)
OPERATION(__braid_claim)
OPERATION(__braid_thread_state)
OPERATION(__braid_thread_life)
OPERATION(__braid_thread_misuse)
OPERATION(__braid_no_thread)
OPERATION(__braid_thread_signal)
OPERATION(__braid_never_initialised)
OPERATION(__braid_other_mutex)
OPERATION(__braid_lock)
OPERATION(__braid_trylock)
OPERATION(__braid_unlock)
OPERATION(__braid_atomic_begin_when)
OPERATION(__braid_self)
OPERATION(__braid_self_number)
OPERATION(__braid_exit_thread)
OPERATION(__braid_shadow_load)
OPERATION(__braid_shadow_store)
OPERATION(__braid_wake)
OPERATION(__braid_spurious_wakeup)
OPERATION(__braid_lock_misuse)
OPERATION(__braid_uses_keys)
OPERATION(__braid_uses_key_deletion)
OPERATION(__braid_uses_detach)
OPERATION(__braid_too_many_waiters)
OPERATION(__braid_too_many_keys)
OPERATION(__braid_too_many_cleanups)
OPERATION(__braid_too_many_cancelled)
OPERATION(__braid_asynchronous_cancel)
OPERATION(__braid_robust_mutex)
OPERATION(__braid_cancelled_join)
OPERATION(__braid_cancelled_stream)
OPERATION(__braid_odd_stream)
OPERATION(__braid_default_stack_size)
OPERATION(__braid_main_ends_early)
OPERATION(__braid_too_many_readers)
OPERATION(__braid_writers_first)
OPERATION(__braid_value_byte)
OPERATION(__braid_assume)
OPERATION(__braid_value_bool)
OPERATION(__braid_value_long)
OPERATION(__braid_value_wide)
OPERATION(__braid_too_many_files)
OPERATION(__braid_reads_file)
OPERATION(__braid_closed_stream)
OPERATION(__braid_closes_standard_stream)
OPERATION(__braid_unknown_thread_name)
OPERATION(__braid_polls_files)
OPERATION(__braid_too_many_applications)
OPERATION(__braid_too_many_jumps)
OPERATION(__braid_system_call)
OPERATION(__braid_futex_operation)
OPERATION(__braid_assert)
