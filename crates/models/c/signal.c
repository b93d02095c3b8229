/* Signals: handlers are remembered and never called (the assumption `no signals`), masks are kept. */

enum {
    SIGNALS = 65,
    SIGKILL = 9,
    SIGSTOP = 19
};

/* sigset_t: 1024 bits, whatever the width of long. */
struct signal_set {
    unsigned long words[1024 / (8 * sizeof(long))];
};

/* struct sigaction */
struct signal_action {
    void *handler;
    struct signal_set mask;
    int flags;
    void *restorer;
};

static struct signal_action actions[SIGNALS];
static __thread struct signal_set blocked;

static int refuse(int error)
{
    *__errno_location() = error;
    return -1;
}

static int is_catchable(int number)
{
    return number > 0 && number < SIGNALS && number != SIGKILL && number != SIGSTOP && number != 32
        && number != 33;
}

void *signal(int number, void *handler)
{
    void *old;
    if (!is_catchable(number) || handler == (void *)-1) {
        *__errno_location() = EINVAL;
        return (void *)-1;
    }
    __braid_atomic_begin();
    old = actions[number].handler;
    actions[number].handler = handler;
    actions[number].flags = 0x10000000;
    __braid_atomic_end();
    return old;
}

int sigaction(int number, const struct signal_action *action, struct signal_action *old)
{
    struct signal_action wanted;
    if (number <= 0 || number >= SIGNALS || number == 32 || number == 33
        || (action && (number == SIGKILL || number == SIGSTOP)))
        return refuse(EINVAL);
    if (action)
        wanted = *action;
    __braid_atomic_begin();
    if (old)
        *old = actions[number];
    if (action)
        actions[number] = wanted;
    __braid_atomic_end();
    return 0;
}

static int fill(struct signal_set *set, unsigned long word)
{
    size_t i;
    for (i = 0; i < sizeof set->words / sizeof set->words[0]; i++)
        set->words[i] = word;
    return 0;
}

int sigemptyset(struct signal_set *set)
{
    return fill(set, 0);
}

int sigfillset(struct signal_set *set)
{
    fill(set, -1UL);
    /* Those that glibc uses itself. */
    return sigdelset(set, 32) || sigdelset(set, 33);
}

int sigaddset(struct signal_set *set, int number)
{
    unsigned bits = 8 * sizeof(long);
    if (number <= 0 || number >= SIGNALS)
        return refuse(EINVAL);
    set->words[(unsigned)(number - 1) / bits] |= 1UL << (unsigned)(number - 1) % bits;
    return 0;
}

int sigdelset(struct signal_set *set, int number)
{
    unsigned bits = 8 * sizeof(long);
    if (number <= 0 || number >= SIGNALS)
        return refuse(EINVAL);
    set->words[(unsigned)(number - 1) / bits] &= ~(1UL << (unsigned)(number - 1) % bits);
    return 0;
}

int sigismember(const struct signal_set *set, int number)
{
    unsigned bits = 8 * sizeof(long);
    if (number <= 0 || number >= SIGNALS)
        return refuse(EINVAL);
    return set->words[(unsigned)(number - 1) / bits] >> (unsigned)(number - 1) % bits & 1;
}

int pthread_sigmask(int how, const struct signal_set *set, struct signal_set *old)
{
    struct signal_set before = blocked;
    size_t i;
    if (set) {
        if (how < 0 || how > 2)
            return EINVAL;
        for (i = 0; i < sizeof blocked.words / sizeof blocked.words[0]; i++) {
            unsigned long word = set->words[i];
            if (how == 0)
                blocked.words[i] |= word;
            else if (how == 1)
                blocked.words[i] &= ~word;
            else
                blocked.words[i] = word;
        }
        /* SIGKILL and SIGSTOP cannot be blocked. */
        sigdelset(&blocked, SIGKILL);
        sigdelset(&blocked, SIGSTOP);
    }
    if (old)
        *old = before;
    return 0;
}

int sigprocmask(int how, const struct signal_set *set, struct signal_set *old)
{
    int error = pthread_sigmask(how, set, old);
    return error ? refuse(error) : 0;
}
