/* Read-write locks. The first word of the shadow is a lock that a writer holds, and that a reader must
   be able to take; the second counts readers, the third is the writer. Readers come before writers,
   which is glibc's default. */

static int *readers(void *lock)
{
    return (int *)lock + 1;
}

static int self(void)
{
    return (int)__braid_self();
}

static int is_writer(void *lock)
{
    return __braid_shadow_load((int *)lock + 2) == self();
}

static void set_writer(void *lock, int writer)
{
    __braid_shadow_store((int *)lock + 2, writer);
}

static void count_readers(void *lock, int change)
{
    __braid_shadow_store(readers(lock), __braid_shadow_load(readers(lock)) + change);
}

int pthread_rwlock_rdlock(void *lock)
{
    int result = 0;
    __braid_atomic_begin();
    if (is_writer(lock)) {
        result = EDEADLK;
    } else {
        __braid_lock(lock);
        __braid_unlock(lock);
        count_readers(lock, 1);
    }
    __braid_atomic_end();
    return result;
}

int pthread_rwlock_wrlock(void *lock)
{
    int *count = readers(lock);
    int result = 0;
    __braid_atomic_begin_when(__braid_shadow_load(count) == 0);
    if (is_writer(lock)) {
        result = EDEADLK;
    } else {
        __braid_lock(lock);
        set_writer(lock, self());
    }
    __braid_atomic_end();
    return result;
}

static int read_if_free(void *lock, int refusal, int otherwise)
{
    int result = 0;
    __braid_atomic_begin();
    if (is_writer(lock)) {
        result = refusal;
    } else if (__braid_trylock(lock)) {
        __braid_unlock(lock);
        count_readers(lock, 1);
    } else {
        result = otherwise;
    }
    __braid_atomic_end();
    return result;
}

static int write_if_free(void *lock, int refusal, int otherwise)
{
    int result = 0;
    __braid_atomic_begin();
    if (is_writer(lock)) {
        result = refusal;
    } else if (!__braid_shadow_load(readers(lock)) && __braid_trylock(lock)) {
        set_writer(lock, self());
    } else {
        result = otherwise;
    }
    __braid_atomic_end();
    return result;
}

int pthread_rwlock_tryrdlock(void *lock)
{
    return read_if_free(lock, EBUSY, EBUSY);
}

int pthread_rwlock_trywrlock(void *lock)
{
    return write_if_free(lock, EBUSY, EBUSY);
}

/* Going on before it is free is the timeout. */
int pthread_rwlock_timedrdlock(void *lock, const struct __braid_timespec *time)
{
    if (!__braid_is_time(time))
        return EINVAL;
    return read_if_free(lock, EDEADLK, ETIMEDOUT);
}

int pthread_rwlock_timedwrlock(void *lock, const struct __braid_timespec *time)
{
    if (!__braid_is_time(time))
        return EINVAL;
    return write_if_free(lock, EDEADLK, ETIMEDOUT);
}

int pthread_rwlock_clockrdlock(void *lock, int clock, const struct __braid_timespec *time)
{
    if (clock != 0 && clock != 1)
        return EINVAL;
    return pthread_rwlock_timedrdlock(lock, time);
}

int pthread_rwlock_clockwrlock(void *lock, int clock, const struct __braid_timespec *time)
{
    if (clock != 0 && clock != 1)
        return EINVAL;
    return pthread_rwlock_timedwrlock(lock, time);
}

/* Whose it is to unlock, or that it is nobody's, is judged by the operation. */
int pthread_rwlock_unlock(void *lock)
{
    __braid_atomic_begin();
    if (__braid_shadow_load(readers(lock))) {
        count_readers(lock, -1);
    } else {
        set_writer(lock, 0);
        __braid_unlock(lock);
    }
    __braid_atomic_end();
    return 0;
}

int pthread_rwlock_init(void *lock, const int *attr)
{
    __braid_atomic_begin();
    __braid_fill(lock, 0, sizeof(long) == 8 ? 56 : 32);
    __braid_shadow_store(lock, 0);
    __braid_shadow_store(readers(lock), 0);
    set_writer(lock, 0);
    __braid_atomic_end();
    return 0;
}

int pthread_rwlock_destroy(void *lock)
{
    __braid_atomic_begin();
    if (__braid_shadow_load(lock) | __braid_shadow_load(readers(lock)))
        __braid_lock_misuse("read-write lock destroyed while held");
    __braid_atomic_end();
    return 0;
}

int __pthread_rwlock_init(void *lock, const int *attr)
{
    return pthread_rwlock_init(lock, attr);
}

int __pthread_rwlock_destroy(void *lock)
{
    return pthread_rwlock_destroy(lock);
}

int __pthread_rwlock_rdlock(void *lock)
{
    return pthread_rwlock_rdlock(lock);
}

int __pthread_rwlock_wrlock(void *lock)
{
    return pthread_rwlock_wrlock(lock);
}

int __pthread_rwlock_tryrdlock(void *lock)
{
    return pthread_rwlock_tryrdlock(lock);
}

int __pthread_rwlock_trywrlock(void *lock)
{
    return pthread_rwlock_trywrlock(lock);
}

int __pthread_rwlock_unlock(void *lock)
{
    return pthread_rwlock_unlock(lock);
}

/* Attributes: two ints, the preference and sharing between processes. */

int pthread_rwlockattr_init(int *attr)
{
    attr[0] = 0;
    attr[1] = 0;
    return 0;
}

int pthread_rwlockattr_destroy(int *attr)
{
    return 0;
}

int pthread_rwlockattr_setpshared(int *attr, int shared)
{
    if (shared < 0 || shared > 1)
        return EINVAL;
    attr[1] = shared;
    return 0;
}

int pthread_rwlockattr_getpshared(const int *attr, int *shared)
{
    *shared = attr[1];
    return 0;
}

int pthread_rwlockattr_setkind_np(int *attr, int kind)
{
    if (kind < 0 || kind > 2)
        return EINVAL;
    /* PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; the other two are the same in glibc. */
    if (kind == 2)
        __braid_writers_first();
    attr[0] = kind;
    return 0;
}

int pthread_rwlockattr_getkind_np(const int *attr, int *kind)
{
    *kind = attr[0];
    return 0;
}
