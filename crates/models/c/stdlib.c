/* The end of a program, and small things of <stdlib.h> and <unistd.h>. Threads may register handlers at
   the same time: the list changes in atomic sections, as glibc's has a lock. */

struct handler {
    void (*function)(void *);
    void *argument;
    /* Handlers of `on_exit` get the status first. */
    void (*with_status)(int, void *);
};

/* The first handlers have a fixed place; more come in linked blocks. */
struct handlers {
    struct handlers *older;
    int count;
    struct handler list[32];
};

static struct handlers first_handlers;
static struct handlers *handlers = &first_handlers;
static void (*quick_handlers[32])(void);
static int quick_count;

/* Inside a section. */
static struct handler *new_handler(void)
{
    if (handlers->count == 32) {
        struct handlers *more = __braid_alloc(sizeof(struct handlers), 16, 1);
        more->older = handlers;
        handlers = more;
    }
    return &handlers->list[handlers->count++];
}

int __cxa_atexit(void (*function)(void *), void *argument, void *library)
{
    struct handler *h;
    __braid_atomic_begin();
    h = new_handler();
    h->function = function;
    h->argument = argument;
    h->with_status = 0;
    __braid_atomic_end();
    return 0;
}

static void call_plain(void *function)
{
    ((void (*)(void))function)();
}

int atexit(void (*function)(void))
{
    return __cxa_atexit(call_plain, (void *)function, 0);
}

int on_exit(void (*function)(int, void *), void *argument)
{
    struct handler *h;
    __braid_atomic_begin();
    h = new_handler();
    h->function = 0;
    h->argument = argument;
    h->with_status = function;
    __braid_atomic_end();
    return 0;
}

int __braid_has_exit_handlers(void)
{
    int any;
    __braid_atomic_begin();
    any = handlers->count || handlers->older;
    __braid_atomic_end();
    return any;
}

/* Inside a section: the handler registered last of those not yet run, or null. */
static struct handler *last_handler(void)
{
    if (!handlers->count) {
        struct handlers *done = handlers;
        if (!done->older)
            return 0;
        /* One that has a newer one is full. */
        handlers = done->older;
        __braid_free(done);
    }
    return &handlers->list[--handlers->count];
}

/* Latest first; a handler may register further ones. */
void exit(int status)
{
    for (;;) {
        struct handler *h;
        void (*function)(void *);
        void *argument;
        void (*with_status)(int, void *);
        __braid_atomic_begin();
        h = last_handler();
        if (!h)
            __braid_exit(status & 0xff);
        function = h->function;
        argument = h->argument;
        with_status = h->with_status;
        __braid_atomic_end();
        if (function)
            function(argument);
        else
            with_status(status, argument);
    }
}

/* `exit` where nothing runs at the end. */
void __braid_plain_exit(int status)
{
    __braid_exit(status & 0xff);
}

void _exit(int status)
{
    __braid_exit(status & 0xff);
}

void _Exit(int status)
{
    __braid_exit(status & 0xff);
}

int at_quick_exit(void (*function)(void))
{
    int result = -1;
    __braid_atomic_begin();
    if (quick_count < 32) {
        quick_handlers[quick_count++] = function;
        result = 0;
    }
    __braid_atomic_end();
    return result;
}

void quick_exit(int status)
{
    while (quick_count)
        quick_handlers[--quick_count]();
    __braid_exit(status & 0xff);
}

int abs(int n)
{
    return n < 0 ? -n : n;
}

long labs(long n)
{
    return n < 0 ? -n : n;
}

long long llabs(long long n)
{
    return n < 0 ? -n : n;
}

long long imaxabs(long long n)
{
    return n < 0 ? -n : n;
}

struct div_result {
    int quot;
    int rem;
};

struct ldiv_result {
    long quot;
    long rem;
};

struct lldiv_result {
    long long quot;
    long long rem;
};

struct div_result div(int a, int b)
{
    struct div_result r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}

struct ldiv_result ldiv(long a, long b)
{
    struct ldiv_result r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}

struct lldiv_result lldiv(long long a, long long b)
{
    struct lldiv_result r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}

struct lldiv_result imaxdiv(long long a, long long b)
{
    return lldiv(a, b);
}

/* Some positive number, always the same. */
int getpid(void)
{
    static int known;
    int id;
    __braid_atomic_begin();
    if (!known)
        known = (__braid_value_int() & 0x3fffff) | 1;
    id = known;
    __braid_atomic_end();
    return id;
}
