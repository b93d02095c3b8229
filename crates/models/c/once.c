/* pthread_once and spin locks: one word of shadow each. The word itself is zero for pthread_once, and one in a spin lock,
   as glibc has it: there is no static initialiser for those. */

enum { FRESH, RUNNING, DONE };
enum { READY = 1 };

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
    if (*once) {
        __braid_lock_misuse(once, "use of pthread_once_t %, which was never initialised");
        __braid_never_initialised();
    }
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

/* Inside a section: there is no spin lock. */
static int refuse(int *lock)
{
    if (*lock != __braid_destroyed) {
        __braid_lock_misuse(lock, "use of spin lock %, which was never initialised");
        __braid_never_initialised();
    }
    __braid_lock_misuse(lock, "use of spin lock %, which was destroyed;EINVAL");
    return EINVAL;
}

int pthread_spin_init(int *lock, int shared)
{
    if (__braid_call_fails())
        return ENOMEM;
    __braid_atomic_begin();
    if (__braid_shadow_load(lock))
        __braid_lock_misuse(lock, "initialisation of spin lock %, which is held");
    *lock = READY;
    __braid_shadow_store(lock, 0);
    __braid_atomic_end();
    return 0;
}

int pthread_spin_destroy(int *lock)
{
    int result = 0;
    __braid_atomic_begin();
    if (*lock != READY) {
        result = refuse(lock);
    } else {
        if (__braid_shadow_load(lock))
            __braid_lock_misuse(lock, "destroy of spin lock %, which is held");
        *lock = __braid_destroyed;
    }
    __braid_atomic_end();
    return result;
}

int pthread_spin_lock(int *lock)
{
    int result = 0;
    __braid_atomic_begin();
    if (*lock != READY)
        result = refuse(lock);
    else
        __braid_lock(lock);
    __braid_atomic_end();
    return result;
}

int pthread_spin_trylock(int *lock)
{
    int result;
    __braid_atomic_begin();
    if (*lock != READY)
        result = refuse(lock);
    else
        result = __braid_trylock(lock) ? 0 : EBUSY;
    __braid_atomic_end();
    return result;
}

int pthread_spin_unlock(int *lock)
{
    int result = 0;
    __braid_atomic_begin();
    if (*lock != READY)
        result = refuse(lock);
    else
        __braid_unlock(lock);
    __braid_atomic_end();
    return result;
}
