/* Unnamed semaphores: the value is the first word of the shadow. */

int sem_init(void *sem, int shared, unsigned value)
{
    if (value > 0x7fffffff) {
        *__errno_location() = EINVAL;
        return -1;
    }
    if (__braid_call_fails()) {
        *__errno_location() = ENOSPC;
        return -1;
    }
    __braid_atomic_begin();
    __braid_fill(sem, 0, sizeof(long) == 8 ? 32 : 16);
    __braid_shadow_store(sem, (int)value);
    __braid_atomic_end();
    return 0;
}

int sem_destroy(void *sem)
{
    return 0;
}

/* Inside a section. */
static void add(void *sem, int change)
{
    __braid_shadow_store(sem, __braid_shadow_load(sem) + change);
}

/* A request to cancel the thread ends the wait, too. */
static void cancellable_wait(void *sem)
{
    int *cancel = __braid_cancel_flag();
    int got = 0;
    __braid_atomic_begin_when((__braid_shadow_load(sem) > 0) | (*cancel != 0));
    if (__braid_shadow_load(sem) > 0) {
        add(sem, -1);
        got = 1;
    }
    __braid_atomic_end();
    if (!got)
        pthread_testcancel();
}

int sem_wait(void *sem)
{
    if (__braid_uses_cancel()) {
        pthread_testcancel();
        cancellable_wait(sem);
        return 0;
    }
    __braid_atomic_begin_when(__braid_shadow_load(sem) > 0);
    add(sem, -1);
    __braid_atomic_end();
    return 0;
}

static int take_or_fail(void *sem, int error)
{
    int got = 0;
    __braid_atomic_begin();
    if (__braid_shadow_load(sem) > 0) {
        add(sem, -1);
        got = 1;
    }
    __braid_atomic_end();
    if (got)
        return 0;
    *__errno_location() = error;
    return -1;
}

int sem_trywait(void *sem)
{
    return take_or_fail(sem, EAGAIN);
}

/* Going on before there is something to take is the timeout. */
int sem_timedwait(void *sem, const struct __braid_timespec *time)
{
    if (!__braid_is_time(time)) {
        *__errno_location() = EINVAL;
        return -1;
    }
    if (__braid_uses_cancel())
        pthread_testcancel();
    return take_or_fail(sem, ETIMEDOUT);
}

int sem_clockwait(void *sem, int clock, const struct __braid_timespec *time)
{
    if (clock != 0 && clock != 1) {
        *__errno_location() = EINVAL;
        return -1;
    }
    return sem_timedwait(sem, time);
}

int sem_post(void *sem)
{
    int full;
    __braid_atomic_begin();
    full = __braid_shadow_load(sem) == 0x7fffffff;
    if (!full)
        add(sem, 1);
    __braid_atomic_end();
    if (!full)
        return 0;
    *__errno_location() = EOVERFLOW;
    return -1;
}

int sem_getvalue(void *sem, int *value)
{
    int now;
    __braid_atomic_begin();
    now = __braid_shadow_load(sem);
    __braid_atomic_end();
    *value = now;
    return 0;
}
