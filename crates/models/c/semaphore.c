/* Unnamed semaphores: the value is the first word of the shadow. The first word of the object's own bytes is zero unless
   it was destroyed, or is none. In a program that destroys semaphores the second word of the shadow has a bit for each
   thread that waits. */

static int *waiting(void *sem)
{
    return (int *)sem + 1;
}

/* Inside a section: there is no semaphore. */
static int refuse(void *sem)
{
    if (*(int *)sem != __braid_destroyed) {
        __braid_lock_misuse(sem, "use of semaphore %, which was never initialised");
        __braid_never_initialised();
    }
    __braid_lock_misuse(sem, "use of semaphore %, which was destroyed;EINVAL");
    return EINVAL;
}

static int outcome(int error)
{
    if (!error)
        return 0;
    *__errno_location() = error;
    return -1;
}

/* Inside a section: a thread waits there, and no post has let it go on. */
static int is_awaited(void *sem)
{
    return __braid_uses_sem_destroy() &&
           __builtin_popcount((unsigned)__braid_shadow_load(waiting(sem))) > __braid_shadow_load(sem);
}

int sem_init(void *sem, int shared, unsigned value)
{
    if (value > 0x7fffffff)
        return outcome(EINVAL);
    if (__braid_call_fails())
        return outcome(ENOSPC);
    __braid_atomic_begin();
    if (is_awaited(sem))
        __braid_lock_misuse(sem, "initialisation of semaphore %, at which a thread waits");
    __braid_fill(sem, 0, sizeof(long) == 8 ? 32 : 16);
    __braid_shadow_store(sem, (int)value);
    __braid_atomic_end();
    return 0;
}

/* Waits for nobody, as glibc's does: a thread that waits there goes on waiting. One that a post has let go on has done
   with it. */
int sem_destroy(void *sem)
{
    int error = 0;
    __braid_atomic_begin();
    if (*(int *)sem) {
        error = refuse(sem);
    } else {
        if (is_awaited(sem))
            __braid_lock_misuse(sem, "destroy of semaphore %, at which a thread waits");
        *(int *)sem = __braid_destroyed;
    }
    __braid_atomic_end();
    return outcome(error);
}

/* Inside a section. */
static void add(void *sem, int change)
{
    __braid_shadow_store(sem, __braid_shadow_load(sem) + change);
}

/* A request to cancel the thread ends the wait, too. */
static int cancellable_wait(void *sem)
{
    int *cancel = __braid_cancel_flag();
    int got = 0;
    int error = 0;
    __braid_atomic_begin_when((__braid_shadow_load(sem) > 0) | (*cancel != 0) | (*(int *)sem != 0));
    if (*(int *)sem) {
        error = refuse(sem);
    } else if (__braid_shadow_load(sem) > 0) {
        add(sem, -1);
        got = 1;
    }
    __braid_atomic_end();
    if (!got && !error)
        pthread_testcancel();
    return error;
}

/* Takes and gives 0, or begins to wait and gives the number of the bit plus 1; an error is below 0. */
static int begin_wait(void *sem)
{
    int result = 0;
    __braid_atomic_begin();
    if (*(int *)sem) {
        result = -refuse(sem);
    } else if (__braid_shadow_load(sem) > 0) {
        add(sem, -1);
    } else {
        int all = __braid_shadow_load(waiting(sem));
        int slot = __braid_own_slot(all);
        __braid_shadow_store(waiting(sem), all | (int)(1u << slot));
        result = slot + 1;
    }
    __braid_atomic_end();
    return result;
}

/* Inside a section: ends the wait. */
static void end_wait(void *sem, int bit)
{
    __braid_shadow_store(waiting(sem), __braid_shadow_load(waiting(sem)) & ~bit);
}

/* As above, where somebody may destroy the semaphore: it is known who waits. */
static int seen_wait(void *sem)
{
    int slot = begin_wait(sem);
    int bit;
    if (slot <= 0)
        return -slot;
    bit = (int)(1u << (slot - 1));
    if (__braid_uses_cancel()) {
        int *cancel = __braid_cancel_flag();
        int got = 0;
        __braid_atomic_begin_when((__braid_shadow_load(sem) > 0) | (*cancel != 0));
        end_wait(sem, bit);
        if (__braid_shadow_load(sem) > 0) {
            add(sem, -1);
            got = 1;
        }
        __braid_atomic_end();
        if (!got)
            pthread_testcancel();
        return 0;
    }
    __braid_atomic_begin_when(__braid_shadow_load(sem) > 0);
    end_wait(sem, bit);
    add(sem, -1);
    __braid_atomic_end();
    return 0;
}

int sem_wait(void *sem)
{
    int error = 0;
    if (__braid_uses_cancel())
        pthread_testcancel();
    if (__braid_uses_sem_destroy())
        return outcome(seen_wait(sem));
    if (__braid_uses_cancel())
        return outcome(cancellable_wait(sem));
    __braid_atomic_begin_when((__braid_shadow_load(sem) > 0) | (*(int *)sem != 0));
    if (*(int *)sem)
        error = refuse(sem);
    else
        add(sem, -1);
    __braid_atomic_end();
    return outcome(error);
}

static int take_or_fail(void *sem, int error)
{
    __braid_atomic_begin();
    if (*(int *)sem) {
        error = refuse(sem);
    } else if (__braid_shadow_load(sem) > 0) {
        add(sem, -1);
        error = 0;
    }
    __braid_atomic_end();
    return outcome(error);
}

int sem_trywait(void *sem)
{
    return take_or_fail(sem, EAGAIN);
}

/* Going on before there is something to take is the timeout. */
int sem_timedwait(void *sem, const struct __braid_timespec *time)
{
    if (!__braid_is_time(time))
        return outcome(EINVAL);
    if (__braid_uses_cancel())
        pthread_testcancel();
    return take_or_fail(sem, ETIMEDOUT);
}

int sem_clockwait(void *sem, int clock, const struct __braid_timespec *time)
{
    if (clock != 0 && clock != 1)
        return outcome(EINVAL);
    return sem_timedwait(sem, time);
}

int sem_post(void *sem)
{
    int error = 0;
    __braid_atomic_begin();
    if (*(int *)sem)
        error = refuse(sem);
    else if (__braid_shadow_load(sem) == 0x7fffffff)
        error = EOVERFLOW;
    else
        add(sem, 1);
    __braid_atomic_end();
    return outcome(error);
}

int sem_getvalue(void *sem, int *value)
{
    int error = 0;
    int now = 0;
    __braid_atomic_begin();
    if (*(int *)sem)
        error = refuse(sem);
    else
        now = __braid_shadow_load(sem);
    __braid_atomic_end();
    if (!error)
        *value = now;
    return outcome(error);
}
