/* Mutexes. The first word of the shadow is the operations' own: who holds it. Recursive and
   error-checking ones keep the owner and the depth in the next two. The kind is in the bytes of the
   mutex, where glibc has it: static initialisers put it there. */

enum { ERRORCHECK = 2 };

/* 0: normal, 1: recursive, 2: error-checking, 3: adaptive, which means normal. Anything else is no mutex: one that was
   destroyed, or memory that nobody has written to. */
static int *kind_of(void *mutex)
{
    return (int *)((char *)mutex + (sizeof(long) == 8 ? 16 : 12));
}

/* Whether it only locks and unlocks: also the adaptive kind does. */
static int is_simple(int kind)
{
    return kind == 0 || kind == 3;
}

/* Inside a section: there is no mutex. */
static int refuse(void *mutex, int kind)
{
    if (kind != __braid_destroyed) {
        __braid_lock_misuse(mutex, "use of mutex %, which was never initialised");
        __braid_never_initialised();
    }
    __braid_lock_misuse(mutex, "use of mutex %, which was destroyed;EINVAL");
    return EINVAL;
}

static int owner(void *mutex)
{
    return __braid_shadow_load((char *)mutex + 4);
}

static int depth(void *mutex)
{
    return __braid_shadow_load((char *)mutex + 8);
}

static void own(void *mutex, int owner, int depth)
{
    __braid_shadow_store((char *)mutex + 4, owner);
    __braid_shadow_store((char *)mutex + 8, depth);
}

/* Inside a section, when the running thread holds it already. */
static int relock(void *mutex, int kind, int refusal)
{
    if (kind == ERRORCHECK)
        return refusal;
    own(mutex, __braid_self_number(), depth(mutex) + 1);
    return 0;
}

/* Inside a section, for all but the simplest kind. */
static int lock_by_kind(void *mutex, int kind)
{
    if (kind & ~3)
        return refuse(mutex, kind);
    if (is_simple(kind)) {
        __braid_lock(mutex);
        return 0;
    }
    if (owner(mutex) == __braid_self_number())
        return relock(mutex, kind, EDEADLK);
    __braid_lock(mutex);
    own(mutex, __braid_self_number(), 1);
    return 0;
}

int pthread_mutex_lock(void *mutex)
{
    int result = 0;
    int kind;
    __braid_atomic_begin();
    kind = *kind_of(mutex);
    if (kind == 0)
        __braid_lock(mutex);
    else
        result = lock_by_kind(mutex, kind);
    __braid_atomic_end();
    return result;
}

/* Inside a section: takes it if it is free; else the result says why not. */
static int take_if_free(void *mutex, int refusal, int otherwise)
{
    int kind = *kind_of(mutex);
    if (kind & ~3)
        return refuse(mutex, kind);
    if (is_simple(kind))
        return __braid_trylock(mutex) ? 0 : otherwise;
    if (owner(mutex) == __braid_self_number())
        return relock(mutex, kind, refusal);
    if (!__braid_trylock(mutex))
        return otherwise;
    own(mutex, __braid_self_number(), 1);
    return 0;
}

int pthread_mutex_trylock(void *mutex)
{
    int result;
    __braid_atomic_begin();
    result = take_if_free(mutex, EBUSY, EBUSY);
    __braid_atomic_end();
    return result;
}

/* A wait that ends: going on before the mutex is free is the timeout, going on after it is not. */
int pthread_mutex_timedlock(void *mutex, const struct __braid_timespec *time)
{
    int result;
    __braid_atomic_begin();
    result = take_if_free(mutex, EDEADLK, ETIMEDOUT);
    if (result == ETIMEDOUT && !__braid_is_time(time))
        result = EINVAL;
    __braid_atomic_end();
    return result;
}

int pthread_mutex_clocklock(void *mutex, int clock, const struct __braid_timespec *time)
{
    if (clock != 0 && clock != 1)
        return EINVAL;
    return pthread_mutex_timedlock(mutex, time);
}

/* Inside a section, for all but the simplest kind. */
static int unlock_by_kind(void *mutex, int kind)
{
    if (kind & ~3)
        return refuse(mutex, kind);
    if (!is_simple(kind)) {
        if (owner(mutex) != __braid_self_number())
            return EPERM;
        if (depth(mutex) > 1) {
            own(mutex, __braid_self_number(), depth(mutex) - 1);
            return 0;
        }
        own(mutex, 0, 0);
    }
    __braid_unlock(mutex);
    return 0;
}

int pthread_mutex_unlock(void *mutex)
{
    int result = 0;
    int kind;
    __braid_atomic_begin();
    kind = *kind_of(mutex);
    if (kind == 0)
        __braid_unlock(mutex);
    else
        result = unlock_by_kind(mutex, kind);
    __braid_atomic_end();
    return result;
}

int pthread_mutex_init(void *mutex, const int *attr)
{
    int kind = attr ? *attr & 3 : 0;
    if (__braid_call_fails())
        return ENOMEM;
    __braid_atomic_begin();
    if (__braid_shadow_load(mutex))
        __braid_lock_misuse(mutex, "initialisation of mutex %, which is held");
    __braid_fill(mutex, 0, sizeof(long) == 8 ? 40 : 24);
    *kind_of(mutex) = kind;
    __braid_shadow_store(mutex, 0);
    own(mutex, 0, 0);
    __braid_atomic_end();
    return 0;
}

/* What is destroyed is of no kind, so that its use fails. */
int pthread_mutex_destroy(void *mutex)
{
    int result = 0;
    int kind;
    __braid_atomic_begin();
    kind = *kind_of(mutex);
    if (kind & ~3) {
        result = refuse(mutex, kind);
    } else if (__braid_shadow_load(mutex)) {
        __braid_lock_misuse(mutex, "destroy of mutex %, which is held;EBUSY");
        result = EBUSY;
    } else {
        *kind_of(mutex) = __braid_destroyed;
    }
    __braid_atomic_end();
    return result;
}

int __pthread_mutex_init(void *mutex, const int *attr)
{
    return pthread_mutex_init(mutex, attr);
}

int __pthread_mutex_destroy(void *mutex)
{
    return pthread_mutex_destroy(mutex);
}

int __pthread_mutex_lock(void *mutex)
{
    return pthread_mutex_lock(mutex);
}

int __pthread_mutex_trylock(void *mutex)
{
    return pthread_mutex_trylock(mutex);
}

int __pthread_mutex_unlock(void *mutex)
{
    return pthread_mutex_unlock(mutex);
}

/* Attributes, in the int that pthread_mutexattr_t is: the type in bits 0 and 1, the protocol in bits
   28 and 29, sharing between processes in bit 31. */

int pthread_mutexattr_init(unsigned *attr)
{
    if (__braid_call_fails())
        return ENOMEM;
    *attr = 0;
    return 0;
}

int pthread_mutexattr_destroy(unsigned *attr)
{
    return 0;
}

int pthread_mutexattr_settype(unsigned *attr, int type)
{
    if (type < 0 || type > 3)
        return EINVAL;
    *attr = (*attr & ~3u) | (unsigned)type;
    return 0;
}

int pthread_mutexattr_gettype(const unsigned *attr, int *type)
{
    *type = (int)(*attr & 3);
    return 0;
}

int __pthread_mutexattr_init(unsigned *attr)
{
    return pthread_mutexattr_init(attr);
}

int __pthread_mutexattr_destroy(unsigned *attr)
{
    return pthread_mutexattr_destroy(attr);
}

int __pthread_mutexattr_settype(unsigned *attr, int type)
{
    return pthread_mutexattr_settype(attr, type);
}

int pthread_mutexattr_setpshared(unsigned *attr, int shared)
{
    if (shared < 0 || shared > 1)
        return EINVAL;
    *attr = (*attr & ~(1u << 31)) | (unsigned)shared << 31;
    return 0;
}

int pthread_mutexattr_getpshared(const unsigned *attr, int *shared)
{
    *shared = (int)(*attr >> 31);
    return 0;
}

int pthread_mutexattr_setprotocol(unsigned *attr, int protocol)
{
    if (protocol < 0 || protocol > 2)
        return EINVAL;
    *attr = (*attr & ~(3u << 28)) | (unsigned)protocol << 28;
    return 0;
}

int pthread_mutexattr_getprotocol(const unsigned *attr, int *protocol)
{
    *protocol = (int)(*attr >> 28 & 3);
    return 0;
}

int pthread_mutexattr_setrobust(unsigned *attr, int robust)
{
    if (robust < 0 || robust > 1)
        return EINVAL;
    if (robust)
        __braid_robust_mutex();
    return 0;
}

int pthread_mutexattr_getrobust(const unsigned *attr, int *robust)
{
    *robust = 0;
    return 0;
}
