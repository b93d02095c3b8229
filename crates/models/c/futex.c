/* System calls by number; of those, the futex. The kernel's waiters are keyed by address, in state of its own: the
   word itself belongs to the program, which writes it all the time. */

enum {
    SLOTS = 32,
    FUTEX_WAIT = 0,
    FUTEX_WAKE = 1,
    FUTEX_WAIT_BITSET = 9,
    FUTEX_WAKE_BITSET = 10
};

/* Where the thread of a slot waits. */
static const int *places[SLOTS];
/* The slots that wait, and those that were woken and have not gone on. */
static int waiting;
static int woken;

static long refuse(int error)
{
    *__errno_location() = error;
    return -1;
}

/* Inside a section: ends the wait of a slot; 0 if it was woken. */
static int end_wait(int bit)
{
    if (woken & bit) {
        woken &= ~bit;
        return 0;
    }
    waiting &= ~bit;
    return ETIMEDOUT;
}

static long futex_wait(const int *word, int expected, const struct __braid_timespec *time)
{
    int slot = 0;
    int differs;
    int bit;
    if (time && (time->seconds < 0 || !__braid_is_time(time)))
        return refuse(EINVAL);
    /* Looking at the word and going to sleep are one step. */
    __braid_atomic_begin();
    differs = __atomic_load_n(word, 5) != expected;
    if (!differs) {
        slot = __braid_own_slot(waiting | woken);
        places[slot] = word;
        waiting |= (int)(1u << slot);
    }
    __braid_atomic_end();
    if (differs)
        return refuse(EAGAIN);
    bit = (int)(1u << slot);
    /* Going on without being woken is the timeout, or a spurious wake-up. */
    if (time || __braid_spurious_wakeup()) {
        int late;
        __braid_atomic_begin();
        late = end_wait(bit);
        __braid_atomic_end();
        return late && time ? refuse(late) : 0;
    }
    __braid_atomic_begin_when((woken & bit) != 0);
    end_wait(bit);
    __braid_atomic_end();
    return 0;
}

/* Wakes up to `count` of those who wait at the word, any of them. */
static long futex_wake(const int *word, int count)
{
    long result = 0;
    unsigned here = 0;
    int i;
    __braid_atomic_begin();
    for (i = 0; i < SLOTS; i++)
        if ((unsigned)waiting >> i & 1 && places[i] == word)
            here |= 1u << i;
    while (here && result < count) {
        unsigned bits = here;
        int bit;
        /* The rest of them, if all are woken anyway, in any order. */
        while (bits & (bits - 1)) {
            if (!__braid_wake())
                break;
            bits &= bits - 1;
        }
        bit = (int)(bits & (0u - bits));
        here &= ~(unsigned)bit;
        waiting &= ~bit;
        woken |= bit;
        result++;
    }
    __braid_atomic_end();
    return result;
}

long syscall(long number, ...)
{
    __builtin_va_list list;
    int *word;
    int operation;
    int value;
    const struct __braid_timespec *time;
    int *other;
    int mask;
    /* SYS_futex on x86-64 and on i386. */
    if (number != (sizeof(long) == 8 ? 202 : 240))
        __braid_system_call();
    __builtin_va_start(list, number);
    word = __builtin_va_arg(list, int *);
    operation = __builtin_va_arg(list, int) & ~(128 | 256);
    value = __builtin_va_arg(list, int);
    if (operation == FUTEX_WAKE) {
        __builtin_va_end(list);
        return futex_wake(word, value);
    }
    if (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET && operation != FUTEX_WAKE_BITSET)
        __braid_futex_operation();
    time = __builtin_va_arg(list, const struct __braid_timespec *);
    if (operation != FUTEX_WAIT) {
        other = __builtin_va_arg(list, int *);
        mask = __builtin_va_arg(list, int);
        if (mask != -1)
            __braid_futex_operation();
    }
    __builtin_va_end(list);
    return operation == FUTEX_WAKE_BITSET ? futex_wake(word, value) : futex_wait(word, value, time);
}
