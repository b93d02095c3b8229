/* Read-write locks. The first word of the shadow is a lock that a writer holds, or that the readers hold
   together. The others are places for readers, each a lock that its reader holds, so that it is known for
   whom a writer waits: for all of them. Readers come before writers, which is glibc's default.

   Each thread has a place of its own as long as there are enough, which is looked at first: what a thread holds
   is known from what it did itself. While nobody reads, the writer's number stands in its place, negative. There are
   as many places as are asked who holds a lock together.

   The first word of the lock's own bytes is zero unless it was destroyed, or is none. */

enum { SIZE = sizeof(long) == 8 ? 56 : 32, PLACES = SIZE == 56 ? 12 : 7 };

/* The lock of readers: those who hold it are named in the words that follow (see `Op::Lock`). */
enum { SHARED = -PLACES };

/* Inside a section: there is no lock. */
static int refuse(void *lock)
{
    if (*(int *)lock != __braid_destroyed) {
        __braid_lock_misuse(lock, "use of read-write lock %, which was never initialised");
        __braid_never_initialised();
    }
    __braid_lock_misuse(lock, "use of read-write lock %, which was destroyed;EINVAL");
    return EINVAL;
}

static int *place(void *lock, int i)
{
    return (int *)lock + 1 + i;
}

static int *own_place(void *lock)
{
    return place(lock, __braid_self_number() % PLACES);
}

static int is_writer(void *lock)
{
    return __braid_shadow_load(own_place(lock)) == -__braid_self_number();
}

static int has_readers(void *lock)
{
    int some = 0;
    for (int i = 0; i < PLACES; i++)
        some |= __braid_shadow_load(place(lock, i));
    return some;
}

/* The place of some reader, of the running thread if it is one; null if there is none. */
static int *reader(void *lock)
{
    int *found = 0;
    for (int i = 0; i < PLACES; i++) {
        int owner = __braid_shadow_load(place(lock, i));
        if (owner == __braid_self_number())
            return place(lock, i);
        if (owner > 0 && !found)
            found = place(lock, i);
    }
    return found;
}

static void leave(void *lock, int *busy)
{
    __braid_unlock(busy);
    if (!has_readers(lock))
        __braid_shadow_store(lock, 0);
}

static void take(void *lock, int *free)
{
    __braid_lock(free);
    __braid_shadow_store(lock, SHARED);
}

/* A thread may read twice, or share its place with another. */
static void add_reader_elsewhere(void *lock)
{
    for (int i = 1; i < PLACES; i++) {
        int *other = place(lock, (__braid_self_number() + i) % PLACES);
        if (!__braid_shadow_load(other)) {
            take(lock, other);
            return;
        }
    }
    __braid_too_many_readers();
}

static void add_reader(void *lock)
{
    if (__braid_shadow_load(own_place(lock)))
        add_reader_elsewhere(lock);
    else
        take(lock, own_place(lock));
}

int pthread_rwlock_rdlock(void *lock)
{
    int result = 0;
    __braid_atomic_begin();
    if (*(int *)lock) {
        result = refuse(lock);
    } else if (is_writer(lock)) {
        result = EDEADLK;
    } else {
        if (__braid_shadow_load(lock) != SHARED) {
            __braid_lock(lock);
            __braid_unlock(lock);
        }
        add_reader(lock);
    }
    __braid_atomic_end();
    return result;
}

int pthread_rwlock_wrlock(void *lock)
{
    int result = 0;
    __braid_atomic_begin();
    if (*(int *)lock) {
        result = refuse(lock);
    } else if (is_writer(lock)) {
        result = EDEADLK;
    } else {
        __braid_lock(lock);
        __braid_shadow_store(own_place(lock), -__braid_self_number());
    }
    __braid_atomic_end();
    return result;
}

static int read_if_free(void *lock, int refusal, int otherwise)
{
    int result = 0;
    __braid_atomic_begin();
    if (*(int *)lock) {
        result = refuse(lock);
    } else if (is_writer(lock)) {
        result = refusal;
    } else if (__braid_shadow_load(lock) == SHARED) {
        add_reader(lock);
    } else if (__braid_trylock(lock)) {
        __braid_unlock(lock);
        add_reader(lock);
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
    if (*(int *)lock) {
        result = refuse(lock);
    } else if (is_writer(lock)) {
        result = refusal;
    } else if (__braid_trylock(lock)) {
        __braid_shadow_store(own_place(lock), -__braid_self_number());
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

/* A thread that has read twice, or one that has no right to: whose it is to unlock, or that it is nobody's, is
   judged by the operation. */
static void unlock_another(void *lock)
{
    int *busy = reader(lock);
    int writer = __braid_shadow_load(lock);
    if (busy) {
        leave(lock, busy);
    } else {
        if (writer > 0)
            __braid_shadow_store(place(lock, writer % PLACES), 0);
        __braid_unlock(lock);
    }
}

int pthread_rwlock_unlock(void *lock)
{
    int result = 0;
    __braid_atomic_begin();
    if (*(int *)lock) {
        result = refuse(lock);
    } else if (is_writer(lock)) {
        __braid_shadow_store(own_place(lock), 0);
        __braid_unlock(lock);
    } else if (__braid_shadow_load(own_place(lock)) == __braid_self_number()) {
        leave(lock, own_place(lock));
    } else {
        unlock_another(lock);
    }
    __braid_atomic_end();
    return result;
}

int pthread_rwlock_init(void *lock, const int *attr)
{
    if (__braid_call_fails())
        return ENOMEM;
    __braid_atomic_begin();
    if (__braid_shadow_load(lock))
        __braid_lock_misuse(lock, "initialisation of read-write lock %, which is held");
    __braid_fill(lock, 0, SIZE);
    for (int i = 0; i <= PLACES; i++)
        __braid_shadow_store((int *)lock + i, 0);
    __braid_atomic_end();
    return 0;
}

int pthread_rwlock_destroy(void *lock)
{
    int result = 0;
    __braid_atomic_begin();
    if (*(int *)lock) {
        result = refuse(lock);
    } else {
        if (__braid_shadow_load(lock))
            __braid_lock_misuse(lock, "destroy of read-write lock %, which is held");
        *(int *)lock = __braid_destroyed;
    }
    __braid_atomic_end();
    return result;
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
    if (__braid_call_fails())
        return ENOMEM;
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
