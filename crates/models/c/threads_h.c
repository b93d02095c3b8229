/* C11 <threads.h>, on POSIX threads as glibc has it. */

enum { SUCCESS, BUSY, ERROR, NOMEM, TIMEDOUT };

static int outcome(int error)
{
    switch (error) {
    case 0:
        return SUCCESS;
    case EBUSY:
        return BUSY;
    case ENOMEM:
        return NOMEM;
    case ETIMEDOUT:
        return TIMEDOUT;
    default:
        return ERROR;
    }
}

int thrd_create(unsigned long *thread, int (*routine)(void *), void *argument)
{
    return outcome(pthread_create(thread, 0, (void *(*)(void *))routine, argument));
}

int thrd_join(unsigned long thread, int *result)
{
    void *value = 0;
    int error = pthread_join(thread, &value);
    if (!error && result)
        *result = (int)(long)value;
    return outcome(error);
}

int thrd_detach(unsigned long thread)
{
    return outcome(pthread_detach(thread));
}

void thrd_exit(int result)
{
    pthread_exit((void *)(long)result);
}

int thrd_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

void thrd_yield(void)
{
    sched_yield();
}

int thrd_sleep(const struct __braid_timespec *time, struct __braid_timespec *rest)
{
    if (time->seconds < 0 || !__braid_is_time(time))
        return -2;
    sched_yield();
    return 0;
}

int mtx_init(void *mutex, int type)
{
    /* Recursive or not; there is nothing else that glibc looks at. */
    int kind = type & 1;
    return outcome(pthread_mutex_init(mutex, &kind));
}

void mtx_destroy(void *mutex)
{
    pthread_mutex_destroy(mutex);
}

int mtx_lock(void *mutex)
{
    return outcome(pthread_mutex_lock(mutex));
}

int mtx_trylock(void *mutex)
{
    return outcome(pthread_mutex_trylock(mutex));
}

int mtx_timedlock(void *mutex, const struct __braid_timespec *time)
{
    return outcome(pthread_mutex_timedlock(mutex, time));
}

int mtx_unlock(void *mutex)
{
    return outcome(pthread_mutex_unlock(mutex));
}

int cnd_init(void *cond)
{
    return outcome(pthread_cond_init(cond, 0));
}

void cnd_destroy(void *cond)
{
    pthread_cond_destroy(cond);
}

int cnd_wait(void *cond, void *mutex)
{
    return outcome(pthread_cond_wait(cond, mutex));
}

int cnd_timedwait(void *cond, void *mutex, const struct __braid_timespec *time)
{
    return outcome(pthread_cond_timedwait(cond, mutex, time));
}

int cnd_signal(void *cond)
{
    return outcome(pthread_cond_signal(cond));
}

int cnd_broadcast(void *cond)
{
    return outcome(pthread_cond_broadcast(cond));
}

void call_once(int *once, void (*routine)(void))
{
    pthread_once(once, routine);
}

int tss_create(unsigned *key, void (*destructor)(void *))
{
    return outcome(pthread_key_create(key, destructor));
}

void tss_delete(unsigned key)
{
    pthread_key_delete(key);
}

void *tss_get(unsigned key)
{
    return pthread_getspecific(key);
}

int tss_set(unsigned key, void *value)
{
    return outcome(pthread_setspecific(key, value));
}
