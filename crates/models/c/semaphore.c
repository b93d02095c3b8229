/* Unnamed semaphores: the value is the first word of the shadow. The first word of the object's own bytes is zero unless
   it was destroyed, or is none. */

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

int sem_init(void *sem, int shared, unsigned value)
{
    if (value > 0x7fffffff)
        return outcome(EINVAL);
    if (__braid_call_fails())
        return outcome(ENOSPC);
    __braid_atomic_begin();
    __braid_fill(sem, 0, sizeof(long) == 8 ? 32 : 16);
    __braid_shadow_store(sem, (int)value);
    __braid_atomic_end();
    return 0;
}

int sem_destroy(void *sem)
{
    int error = 0;
    __braid_atomic_begin();
    if (*(int *)sem)
        error = refuse(sem);
    else
        *(int *)sem = __braid_destroyed;
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

/* One that is destroyed while a thread waits there is used after its end. */
int sem_wait(void *sem)
{
    int error = 0;
    if (__braid_uses_cancel()) {
        pthread_testcancel();
        return outcome(cancellable_wait(sem));
    }
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
