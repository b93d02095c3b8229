/* Condition variables. Every waiter has a bit: in the first word of the shadow while it waits, in the
   second from being woken until it goes on. So a signal wakes one that waits now, and nobody who comes
   later can take its place. The first word of the object's own bytes is zero unless it was destroyed, or is none. */

static int *waiting(void *cond)
{
    return cond;
}

static int *woken(void *cond)
{
    return (int *)cond + 1;
}

static void clear_bit(int *word, int bit)
{
    __braid_shadow_store(word, __braid_shadow_load(word) & ~bit);
}

static void set_bit(int *word, int bit)
{
    __braid_shadow_store(word, __braid_shadow_load(word) | bit);
}

/* Inside a section: there is no condition variable. */
static int refuse(void *cond)
{
    if (*(int *)cond != __braid_destroyed) {
        __braid_lock_misuse(cond, "use of condition variable %, which was never initialised");
        __braid_never_initialised();
    }
    __braid_lock_misuse(cond, "use of condition variable %, which was destroyed;EINVAL");
    return EINVAL;
}

/* Leaves the mutex and begins to wait, in one step; gives the number of the bit, or an error below 0. */
static int begin_wait(void *cond, void *mutex)
{
    int result;
    __braid_atomic_begin();
    result = *(int *)cond ? -refuse(cond) : -pthread_mutex_unlock(mutex);
    if (!result) {
        if (__braid_other_mutex((char *)cond + 8, mutex) && __braid_shadow_load(waiting(cond)))
            __braid_lock_misuse(cond, "wait at condition variable % with another mutex than one who waits there");
        result = __braid_own_slot(__braid_shadow_load(waiting(cond)) | __braid_shadow_load(woken(cond)));
        set_bit(waiting(cond), (int)(1u << result));
    }
    __braid_atomic_end();
    return result;
}

/* Inside a section: ends the wait; 0 if it was woken. */
static int end_wait(void *cond, int bit)
{
    if (__braid_shadow_load(woken(cond)) & bit) {
        clear_bit(woken(cond), bit);
        return 0;
    }
    clear_bit(waiting(cond), bit);
    return ETIMEDOUT;
}

/* As below, but a request to cancel the thread ends the wait, too; the mutex is taken first. */
static int cancellable_wait(void *cond, void *mutex, int bit)
{
    int *cancel = __braid_cancel_flag();
    int *word = woken(cond);
    int cancelled;
    int result;
    __braid_atomic_begin_when(((__braid_shadow_load(word) & bit) | *cancel) != 0);
    cancelled = end_wait(cond, bit);
    __braid_atomic_end();
    result = pthread_mutex_lock(mutex);
    if (cancelled)
        pthread_testcancel();
    return result;
}

int pthread_cond_wait(void *cond, void *mutex)
{
    int *word = woken(cond);
    int slot;
    int bit;
    if (__braid_uses_cancel())
        pthread_testcancel();
    slot = begin_wait(cond, mutex);
    if (slot < 0)
        return -slot;
    bit = (int)(1u << slot);
    /* Others may run before this goes on, so it is any time that the wait ends. */
    if (__braid_spurious_wakeup()) {
        __braid_atomic_begin();
        end_wait(cond, bit);
        __braid_atomic_end();
        return pthread_mutex_lock(mutex);
    }
    if (__braid_uses_cancel())
        return cancellable_wait(cond, mutex, bit);
    __braid_atomic_begin_when((__braid_shadow_load(word) & bit) != 0);
    end_wait(cond, bit);
    __braid_atomic_end();
    return pthread_mutex_lock(mutex);
}

/* Going on without being woken is the timeout. */
int pthread_cond_timedwait(void *cond, void *mutex, const struct __braid_timespec *time)
{
    int slot;
    int result;
    int locked;
    if (!__braid_is_time(time))
        return EINVAL;
    if (__braid_uses_cancel())
        pthread_testcancel();
    slot = begin_wait(cond, mutex);
    if (slot < 0)
        return -slot;
    __braid_atomic_begin();
    result = end_wait(cond, (int)(1u << slot));
    __braid_atomic_end();
    locked = pthread_mutex_lock(mutex);
    if (__braid_uses_cancel() && result)
        pthread_testcancel();
    return locked ? locked : result;
}

int pthread_cond_clockwait(void *cond, void *mutex, int clock, const struct __braid_timespec *time)
{
    if (clock != 0 && clock != 1)
        return EINVAL;
    return pthread_cond_timedwait(cond, mutex, time);
}

/* One of the bits: the lowest, unless the choices say otherwise. */
static int pick(unsigned bits)
{
    while (bits & (bits - 1)) {
        if (!__braid_wake())
            break;
        bits &= bits - 1;
    }
    return (int)(bits & (0u - bits));
}

int pthread_cond_signal(void *cond)
{
    int result = 0;
    int all;
    __braid_atomic_begin();
    if (*(int *)cond)
        result = refuse(cond);
    all = __braid_shadow_load(waiting(cond));
    if (all) {
        int bit = pick((unsigned)all);
        clear_bit(waiting(cond), bit);
        set_bit(woken(cond), bit);
    }
    __braid_atomic_end();
    return result;
}

int pthread_cond_broadcast(void *cond)
{
    int result = 0;
    __braid_atomic_begin();
    if (*(int *)cond)
        result = refuse(cond);
    set_bit(woken(cond), __braid_shadow_load(waiting(cond)));
    __braid_shadow_store(waiting(cond), 0);
    __braid_atomic_end();
    return result;
}

int pthread_cond_init(void *cond, const int *attr)
{
    if (__braid_call_fails())
        return ENOMEM;
    __braid_atomic_begin();
    if (__braid_shadow_load(waiting(cond)))
        __braid_lock_misuse(cond, "initialisation of condition variable %, at which a thread waits");
    __braid_fill(cond, 0, 48);
    __braid_shadow_store(waiting(cond), 0);
    __braid_shadow_store(woken(cond), 0);
    __braid_atomic_end();
    return 0;
}

/* Waits, as glibc's does, until no thread is about to use it. */
int pthread_cond_destroy(void *cond)
{
    int *first = waiting(cond);
    int *second = woken(cond);
    int result = 0;
    int waits = 0;
    __braid_atomic_begin_when((__braid_shadow_load(first) != 0) | (__braid_shadow_load(second) == 0));
    if (*(int *)cond)
        result = refuse(cond);
    else
        waits = __braid_shadow_load(first);
    if (waits)
        __braid_lock_misuse(cond, "destroy of condition variable %, at which a thread waits");
    else if (!result)
        *(int *)cond = __braid_destroyed;
    __braid_atomic_end();
    if (waits) {
        __braid_atomic_begin_when((__braid_shadow_load(first) | __braid_shadow_load(second)) == 0);
        *(int *)cond = __braid_destroyed;
        __braid_atomic_end();
    }
    return result;
}

/* Attributes, in an int: bit 0 sharing between processes, bit 1 the clock. */

int pthread_condattr_init(int *attr)
{
    if (__braid_call_fails())
        return ENOMEM;
    *attr = 0;
    return 0;
}

int pthread_condattr_destroy(int *attr)
{
    return 0;
}

int pthread_condattr_setclock(int *attr, int clock)
{
    if (clock != 0 && clock != 1)
        return EINVAL;
    *attr = (*attr & 1) | clock << 1;
    return 0;
}

int pthread_condattr_getclock(const int *attr, int *clock)
{
    *clock = *attr >> 1;
    return 0;
}

int pthread_condattr_setpshared(int *attr, int shared)
{
    if (shared < 0 || shared > 1)
        return EINVAL;
    *attr = (*attr & ~1) | shared;
    return 0;
}

int pthread_condattr_getpshared(const int *attr, int *shared)
{
    *shared = *attr & 1;
    return 0;
}
