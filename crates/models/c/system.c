/* Questions to the system. Its answers are the environment's choice where machines differ. */

enum {
    PAGE = 4096,
    MAX_PROCESSORS = 8192
};

int getpagesize(void)
{
    return PAGE;
}

/* How many processors there are: any number that a machine can have. */
static long processors(void)
{
    long count = __braid_value_long();
    return count >= 1 && count <= MAX_PROCESSORS ? count : 1;
}

long sysconf(int name)
{
    long value;
    switch (name) {
    case 2: /* _SC_CLK_TCK */
        return 100;
    case 3: /* _SC_NGROUPS_MAX */
        return 65536;
    case 29: /* _SC_VERSION */
        return 200809;
    case 30: /* _SC_PAGESIZE */
        return PAGE;
    case 60: /* _SC_IOV_MAX */
        return 1024;
    case 83: /* _SC_NPROCESSORS_CONF */
    case 84: /* _SC_NPROCESSORS_ONLN */
        return processors();
    }
    if (name < 0 || name > 248) {
        *__errno_location() = EINVAL;
        return -1;
    }
    /* A limit, or -1 for none. */
    value = __braid_value_long();
    return value < -1 ? -1 : value;
}

struct limits {
    unsigned long current;
    unsigned long maximum;
};

int getrlimit(int resource, struct limits *limits)
{
    unsigned long current;
    unsigned long maximum;
    if (resource < 0 || resource > 15) {
        *__errno_location() = EINVAL;
        return -1;
    }
    current = (unsigned long)__braid_value_long();
    maximum = (unsigned long)__braid_value_long();
    limits->current = current < maximum ? current : maximum;
    limits->maximum = current < maximum ? maximum : current;
    return 0;
}

int setrlimit(int resource, const struct limits *limits)
{
    unsigned long current = limits->current;
    unsigned long maximum = limits->maximum;
    if (resource < 0 || resource > 15 || current > maximum) {
        *__errno_location() = EINVAL;
        return -1;
    }
    if (__braid_value_bool()) {
        *__errno_location() = EPERM;
        return -1;
    }
    return 0;
}

static __thread char thread_name[16];
static __thread int is_named;

/* Names of threads are kept; what else a process can ask of its kernel may be refused. */
int prctl(int option, ...)
{
    __builtin_va_list list;
    char *name;
    int i;
    if (option == 15 || option == 16) {
        __builtin_va_start(list, option);
        name = __builtin_va_arg(list, char *);
        __builtin_va_end(list);
        if (option == 16) {
            if (!is_named)
                __braid_unknown_thread_name();
            for (i = 0; i < 16; i++)
                name[i] = thread_name[i];
            return 0;
        }
        is_named = 1;
        for (i = 0; i < 15 && name[i]; i++)
            thread_name[i] = name[i];
        for (; i < 16; i++)
            thread_name[i] = 0;
        return 0;
    }
    if (__braid_value_bool()) {
        *__errno_location() = EINVAL;
        return -1;
    }
    return 0;
}
