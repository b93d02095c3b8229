/* Threads: how they begin and end. */

/* ---- the end of a thread ---- */

/* Destroys the thread's specific data, if it has any (see key.c). */
static __thread void (*data_end)(void);

void __braid_on_thread_end(void (*function)(void))
{
    data_end = function;
}

/* The cleanup handlers of the running thread, the innermost last. */
static __thread struct __braid_cleanup *cleanups[32];
static __thread int cleanup_count;

void __braid_cleanup_push(void *frame)
{
    if (cleanup_count == 32)
        __braid_too_many_cleanups();
    cleanups[cleanup_count++] = frame;
}

void __braid_cleanup_pop(void)
{
    cleanup_count--;
}

void pthread_exit(void *value)
{
    while (cleanup_count) {
        struct __braid_cleanup *c = cleanups[--cleanup_count];
        if (c->wanted)
            c->routine(c->argument);
    }
    if (data_end)
        data_end();
    /* The last thread to end would run them. */
    if (__braid_self_number() == 1 && __braid_has_exit_handlers())
        __braid_main_ends_early();
    __braid_exit_thread(value);
}

void __pthread_exit(void *value)
{
    pthread_exit(value);
}

/* ---- the beginning ---- */

/* What a new thread is to do, until it has begun. The first have a fixed place; `block` is the heap
   block of the others. */
struct start {
    void *(*routine)(void *);
    void *argument;
    void *block;
};
static struct start starts[16];

/* Inside a section. */
static struct start *new_start(void)
{
    struct start *start;
    int i;
    for (i = 0; i < 16; i++)
        if (!starts[i].routine)
            return &starts[i];
    start = __braid_alloc(sizeof(struct start), 16, 0);
    start->block = start;
    return start;
}

/* What a thread begins in if the program has thread-specific data. */
static void *start_with_data(void *given)
{
    struct start *start = given;
    void *(*routine)(void *);
    void *value;
    __braid_atomic_begin();
    routine = start->routine;
    value = start->argument;
    start->routine = 0;
    __braid_free(start->block);
    __braid_atomic_end();
    value = routine(value);
    if (data_end)
        data_end();
    return value;
}

/* The new thread finds its handle stored, as with glibc. */
int pthread_create(unsigned long *thread, const void *attr, void *(*routine)(void *), void *argument)
{
    unsigned long handle;
    if (__braid_call_fails())
        return EAGAIN;
    __braid_atomic_begin();
    if (__braid_uses_keys()) {
        struct start *start = new_start();
        start->routine = routine;
        start->argument = argument;
        routine = start_with_data;
        argument = start;
    }
    handle = __braid_spawn(routine, argument);
    *thread = handle;
    if (__braid_uses_detach() && attr && ((const struct __braid_thread_attr *)attr)->detached)
        __braid_detach(handle);
    __braid_atomic_end();
    return 0;
}

/* ---- requests for cancellation ---- */

/* By thread. One that waits in pthread_join would have to be woken: left out. */
struct request {
    unsigned long thread;
    int pending;
    int joining;
};
static struct request requests[16];

/* Inside a section, as what follows: the thread's place in the table, or null. */
static struct request *find_request(unsigned long thread)
{
    int i;
    for (i = 0; i < 16; i++)
        if (requests[i].thread && requests[i].thread == thread)
            return &requests[i];
    return 0;
}

/* The same; it gets one if it has none. */
static struct request *request_of(unsigned long thread)
{
    struct request *found = find_request(thread);
    int i;
    for (i = 0; !found && i < 16; i++)
        if (!requests[i].thread) {
            found = &requests[i];
            found->thread = thread;
            found->pending = 0;
            found->joining = 0;
        }
    if (!found)
        __braid_too_many_cancelled();
    return found;
}

static __thread int cancel_disabled;
static __thread int cancel_asynchronous;
/* Whether the running thread may wait in pthread_join; not if it is to be cancelled. */
static int begin_join(void)
{
    struct request *own;
    int pending;
    if (cancel_disabled)
        return 1;
    __braid_atomic_begin();
    own = request_of(__braid_self());
    pending = own->pending;
    own->joining = !pending;
    __braid_atomic_end();
    return !pending;
}

/* The running thread does not wait any more. What is known of a thread that it has joined is forgotten: another one
   may get its id. */
static void end_join(struct request *joined)
{
    __braid_atomic_begin();
    if (joined)
        joined->thread = 0;
    request_of(__braid_self())->joining = 0;
    __braid_atomic_end();
}

/* ---- the end seen from outside ---- */

/* The state of a thread: `ThreadState` of the IR. */
enum { JOINED, JOINABLE, DETACHED, AWAITED, OWN, NO_THREAD, GONE };

/* POSIX leaves undefined what happens to a thread that cannot be joined or detached; the results are glibc's as long
   as no other thread has got the id. */
int pthread_join(unsigned long thread, void **value)
{
    struct request *request = 0;
    void *result = 0;
    int state;
    if (__braid_uses_cancel() && !begin_join())
        pthread_testcancel();
    state = __braid_claim(thread);
    if (state == JOINABLE) {
        if (__braid_uses_cancel()) {
            __braid_atomic_begin();
            request = request_of(thread);
            __braid_atomic_end();
        }
        if (value)
            result = __braid_join(thread);
        else
            __braid_join(thread);
        if (__braid_uses_cancel())
            end_join(request);
        if (value)
            *value = result;
        return 0;
    }
    if (__braid_uses_cancel())
        end_join(0);
    if (state == OWN) {
        __braid_thread_misuse(thread, "join of thread % by itself;EDEADLK");
        return EDEADLK;
    }
    if (state == DETACHED) {
        __braid_thread_misuse(thread, "join of thread %, which is detached;EINVAL");
        return EINVAL;
    }
    if (state == AWAITED) {
        __braid_thread_misuse(thread, "join of thread %, which another thread waits to join");
        __braid_atomic_begin_when(0);
        __braid_atomic_end();
    }
    if (state == NO_THREAD) {
        __braid_thread_misuse(thread, "join of %, which is no thread's handle");
        __braid_no_thread();
    }
    __braid_thread_misuse(thread, "join of thread %, which has been joined;ESRCH");
    return ESRCH;
}

int __pthread_join(unsigned long thread, void **value)
{
    return pthread_join(thread, value);
}

/* Inside a section: the thread is not one to detach. */
static int refuse_detach(unsigned long thread, int state)
{
    if (state == DETACHED) {
        __braid_thread_misuse(thread, "detach of thread %, which is detached;EINVAL");
        return EINVAL;
    }
    if (state == AWAITED) {
        __braid_thread_misuse(thread, "detach of thread %, which another thread waits to join");
        __braid_detach(thread);
        return 0;
    }
    if (state == NO_THREAD) {
        __braid_thread_misuse(thread, "detach of %, which is no thread's handle");
        __braid_no_thread();
    }
    __braid_thread_misuse(thread, "detach of thread %, which has been joined;ESRCH");
    return ESRCH;
}

int pthread_detach(unsigned long thread)
{
    int state;
    int result = 0;
    __braid_atomic_begin();
    state = __braid_thread_state(thread);
    if (state == JOINABLE)
        __braid_detach(thread);
    else
        result = refuse_detach(thread, state);
    __braid_atomic_end();
    return result;
}

int pthread_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

/* ---- cancellation, deferred ---- */

static const int never = 0;

/* Not zero when the running thread is to be cancelled. */
int *__braid_cancel_flag(void)
{
    int *flag;
    if (cancel_disabled)
        return (int *)&never;
    __braid_atomic_begin();
    flag = &request_of(__braid_self())->pending;
    __braid_atomic_end();
    return flag;
}

void pthread_testcancel(void)
{
    if (__braid_uses_cancel() && !cancel_disabled) {
        int pending;
        __braid_atomic_begin();
        pending = request_of(__braid_self())->pending;
        __braid_atomic_end();
        if (pending) {
            cancel_disabled = 1;
            pthread_exit((void *)-1);
        }
    }
}

/* In a function that may be a cancellation point and, in glibc, is one when it comes to waiting. */
void __braid_may_be_cancelled(void)
{
    int pending;
    if (cancel_disabled)
        return;
    __braid_atomic_begin();
    pending = request_of(__braid_self())->pending;
    __braid_atomic_end();
    if (pending)
        __braid_cancelled_stream();
}

/* Inside a section: whether the thread can still be reached. One that cannot be is left alone, and glibc reports
   success. */
static int can_be_cancelled(unsigned long thread)
{
    int state = __braid_thread_life(thread);
    if (state == JOINED)
        __braid_thread_misuse(thread, "cancellation of thread %, which has been joined");
    if (state == GONE)
        __braid_thread_misuse(thread, "cancellation of thread %, which was detached and has ended");
    if (state == NO_THREAD) {
        __braid_thread_misuse(thread, "cancellation of %, which is no thread's handle");
        __braid_no_thread();
    }
    return state != JOINED && state != GONE;
}

int pthread_cancel(unsigned long thread)
{
    __braid_atomic_begin();
    if (can_be_cancelled(thread)) {
        if (request_of(thread)->joining)
            __braid_cancelled_join();
        request_of(thread)->pending = 1;
    }
    __braid_atomic_end();
    return 0;
}

/* Signal 0 only asks whether the thread is there. */
int pthread_kill(unsigned long thread, int signal)
{
    int state;
    __braid_atomic_begin();
    state = __braid_thread_life(thread);
    if (state == JOINED)
        __braid_thread_misuse(thread, "signal to thread %, which has been joined");
    if (state == GONE)
        __braid_thread_misuse(thread, "signal to thread %, which was detached and has ended");
    if (state == NO_THREAD) {
        __braid_thread_misuse(thread, "signal to %, which is no thread's handle");
        __braid_no_thread();
    }
    __braid_atomic_end();
    if (signal < 0 || signal > 64 || signal == 32 || signal == 33)
        return EINVAL;
    if (signal && state != JOINED && state != GONE)
        __braid_thread_signal();
    return 0;
}

int pthread_setcancelstate(int state, int *old)
{
    if (state < 0 || state > 1)
        return EINVAL;
    if (old)
        *old = cancel_disabled;
    cancel_disabled = state;
    return 0;
}

int pthread_setcanceltype(int type, int *old)
{
    if (type < 0 || type > 1)
        return EINVAL;
    if (type && __braid_uses_cancel())
        __braid_asynchronous_cancel();
    if (old)
        *old = cancel_asynchronous;
    cancel_asynchronous = type;
    return 0;
}

/* ---- small things ---- */

/* Handlers around `fork`, which has no model. */
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    return 0;
}

int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *library)
{
    return 0;
}

static int concurrency;

int pthread_setconcurrency(int level)
{
    if (level < 0)
        return EINVAL;
    __braid_atomic_begin();
    concurrency = level;
    __braid_atomic_end();
    return 0;
}

int pthread_getconcurrency(void)
{
    int level;
    __braid_atomic_begin();
    level = concurrency;
    __braid_atomic_end();
    return level;
}

int pthread_setname_np(unsigned long thread, const char *name)
{
    return strlen(name) > 15 ? ERANGE : 0;
}

int __braid_is_time(const struct __braid_timespec *time)
{
    return time->nanoseconds >= 0 && time->nanoseconds < 1000000000;
}

/* The running thread's own of 32 places: known without a look at who else waits. With more than 32 threads, two may
   have the same one, but not wait at one place. */
int __braid_own_slot(int taken)
{
    int own = __braid_self_number() % 32;
    if ((unsigned)taken >> own & 1)
        __braid_too_many_waiters();
    return own;
}
