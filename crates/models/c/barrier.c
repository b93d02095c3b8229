/* Barriers. Shadow: how many threads it takes; a bit for each that waits; a bit for each that was let
   through and has not gone on yet. So a fast thread in the next round cannot overtake a slow one. There is no barrier
   that takes nobody: one that was never initialised, for which there is no static initialiser, or was destroyed. */

enum { DESTROYED = -1 };

static int *limit(void *barrier)
{
    return barrier;
}

static int *waiting(void *barrier)
{
    return (int *)barrier + 1;
}

static int *released(void *barrier)
{
    return (int *)barrier + 2;
}

/* Inside a section: there is no barrier. */
static int refuse(void *barrier)
{
    if (__braid_shadow_load(limit(barrier)) == DESTROYED) {
        __braid_lock_misuse(barrier, "use of barrier %, which was destroyed;EINVAL");
        return EINVAL;
    }
    __braid_lock_misuse(barrier, "use of barrier %, which was never initialised");
    __braid_never_initialised();
}

int pthread_barrier_init(void *barrier, const int *attr, unsigned count)
{
    if (!count || count > 0x7fffffff)
        return EINVAL;
    if (__braid_call_fails())
        return ENOMEM;
    __braid_atomic_begin();
    if (__braid_shadow_load(waiting(barrier)))
        __braid_lock_misuse(barrier, "initialisation of barrier %, at which a thread waits");
    __braid_fill(barrier, 0, sizeof(long) == 8 ? 32 : 20);
    __braid_shadow_store(limit(barrier), (int)count);
    __braid_shadow_store(waiting(barrier), 0);
    __braid_shadow_store(released(barrier), 0);
    __braid_atomic_end();
    return 0;
}

/* The last to come is told so (PTHREAD_BARRIER_SERIAL_THREAD), as with glibc. */
int pthread_barrier_wait(void *barrier)
{
    int *through = released(barrier);
    int bit = 0;
    int result = -1;
    int all;
    __braid_atomic_begin();
    all = __braid_shadow_load(waiting(barrier));
    if (__braid_shadow_load(limit(barrier)) <= 0) {
        result = refuse(barrier);
    } else if (__builtin_popcount((unsigned)all) + 1 == __braid_shadow_load(limit(barrier))) {
        __braid_shadow_store(through, __braid_shadow_load(through) | all);
        __braid_shadow_store(waiting(barrier), 0);
    } else {
        bit = (int)(1u << __braid_own_slot(all | __braid_shadow_load(through)));
        __braid_shadow_store(waiting(barrier), all | bit);
    }
    __braid_atomic_end();
    if (!bit)
        return result;
    __braid_atomic_begin_when((__braid_shadow_load(through) & bit) != 0);
    __braid_shadow_store(through, __braid_shadow_load(through) & ~bit);
    __braid_atomic_end();
    return 0;
}

/* Waits, as glibc's does, until all have left. */
int pthread_barrier_destroy(void *barrier)
{
    int *first = waiting(barrier);
    int *second = released(barrier);
    int result = 0;
    __braid_atomic_begin_when((__braid_shadow_load(first) != 0) | (__braid_shadow_load(second) == 0));
    if (__braid_shadow_load(limit(barrier)) <= 0)
        result = refuse(barrier);
    else if (__braid_shadow_load(first))
        __braid_lock_misuse(barrier, "destroy of barrier %, at which a thread waits");
    __braid_atomic_end();
    if (!result) {
        __braid_atomic_begin_when((__braid_shadow_load(first) | __braid_shadow_load(second)) == 0);
        __braid_shadow_store(limit(barrier), DESTROYED);
        __braid_atomic_end();
    }
    return result;
}

int pthread_barrierattr_init(int *attr)
{
    if (__braid_call_fails())
        return ENOMEM;
    *attr = 0;
    return 0;
}

int pthread_barrierattr_destroy(int *attr)
{
    return 0;
}

int pthread_barrierattr_setpshared(int *attr, int shared)
{
    if (shared < 0 || shared > 1)
        return EINVAL;
    *attr = shared;
    return 0;
}

int pthread_barrierattr_getpshared(const int *attr, int *shared)
{
    *shared = *attr;
    return 0;
}
