/* pthread_once and spin locks: one word of shadow each. */

enum { FRESH, RUNNING, DONE };

/* The thread ended in the routine: as if it had never been called. */
static void forget(void *once)
{
    __braid_atomic_begin();
    __braid_shadow_store(once, FRESH);
    __braid_atomic_end();
}

/* Who comes while the routine runs waits for it to end. */
int pthread_once(int *once, void (*routine)(void))
{
    int first;
    __braid_atomic_begin_when(__braid_shadow_load(once) != RUNNING);
    first = __braid_shadow_load(once) == FRESH;
    if (first)
        __braid_shadow_store(once, RUNNING);
    __braid_atomic_end();
    if (first) {
        struct __braid_cleanup end = {forget, once, 1};
        __braid_cleanup_push(&end);
        routine();
        __braid_cleanup_pop();
        __braid_atomic_begin();
        __braid_shadow_store(once, DONE);
        __braid_atomic_end();
    }
    return 0;
}

int __pthread_once(int *once, void (*routine)(void))
{
    return pthread_once(once, routine);
}

int pthread_spin_init(int *lock, int shared)
{
    if (__braid_call_fails())
        return ENOMEM;
    __braid_atomic_begin();
    *lock = 0;
    __braid_shadow_store(lock, 0);
    __braid_atomic_end();
    return 0;
}

int pthread_spin_destroy(int *lock)
{
    __braid_atomic_begin();
    if (__braid_shadow_load(lock))
        __braid_lock_misuse("spin lock destroyed while held");
    __braid_atomic_end();
    return 0;
}

int pthread_spin_trylock(int *lock)
{
    return __braid_trylock(lock) ? 0 : EBUSY;
}
