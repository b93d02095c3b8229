/* Sleeping and yielding: other threads may run, and nothing else happens. */

static void pause_here(void)
{
    if (__braid_uses_cancel())
        pthread_testcancel();
    __braid_atomic_begin();
    __braid_atomic_end();
}

int sched_yield(void)
{
    __braid_atomic_begin();
    __braid_atomic_end();
    return 0;
}

int pthread_yield(void)
{
    return sched_yield();
}

unsigned sleep(unsigned seconds)
{
    pause_here();
    return 0;
}

int usleep(unsigned microseconds)
{
    pause_here();
    return 0;
}

int nanosleep(const struct __braid_timespec *time, struct __braid_timespec *rest)
{
    if (time->seconds < 0 || !__braid_is_time(time)) {
        *__errno_location() = EINVAL;
        return -1;
    }
    pause_here();
    return 0;
}

int clock_nanosleep(int clock, int flags, const struct __braid_timespec *time, struct __braid_timespec *rest)
{
    if (clock < 0 || clock > 11 || clock == 10 || time->seconds < 0 || !__braid_is_time(time))
        return EINVAL;
    if (clock == 3)
        return EINVAL;
    pause_here();
    return 0;
}

/* Without files to wait for, these sleep; for ever if no time is given. */
int poll(void *files, unsigned long count, int milliseconds)
{
    if (count)
        __braid_polls_files();
    if (milliseconds < 0)
        __braid_assume(0);
    pause_here();
    return 0;
}

int select(int count, void *reads, void *writes, void *errors, struct __braid_timespec *time)
{
    if (reads || writes || errors)
        __braid_polls_files();
    if (!time)
        __braid_assume(0);
    if (time->seconds < 0 || time->nanoseconds < 0) {
        *__errno_location() = EINVAL;
        return -1;
    }
    pause_here();
    /* Linux tells how much time is left. */
    time->seconds = 0;
    time->nanoseconds = 0;
    return 0;
}

/* Only a signal would end it, or a cancellation. */
int pause(void)
{
    while (__braid_uses_cancel())
        pause_here();
    __braid_assume(0);
    return -1;
}
