/* Files: whether one can be opened is the environment's choice. What is written to it goes nowhere; reading from it
   is not supported. Descriptors are the lowest free ones, as POSIX has it. */

enum {
    FIRST = 3,
    FILES = 16
};

static _Bool is_open[FILES];
/* A stream is used once: one that was closed stays what it is, so that its further use is seen. */
static struct __braid_file streams[FILES];
static int stream_count;

/* Why a file cannot be opened: the most usual reasons. */
static int reason(void)
{
    if (!__braid_value_bool())
        return ENOENT;
    return __braid_value_bool() ? EMFILE : EACCES;
}

/* The lowest free descriptor; below 0, with the error, if the file cannot be opened. */
int __braid_new_descriptor(int *error)
{
    int i;
    if (__braid_value_bool()) {
        *error = reason();
        return -1;
    }
    for (i = 0; i < FILES; i++)
        if (!is_open[i]) {
            is_open[i] = 1;
            return FIRST + i;
        }
    __braid_too_many_files();
}

static int open_any(const char *path)
{
    int error = 0;
    int fd;
    strlen(path);
    __braid_atomic_begin();
    fd = __braid_new_descriptor(&error);
    __braid_atomic_end();
    if (fd < 0)
        *__errno_location() = error;
    return fd;
}

int open(const char *path, int flags, ...)
{
    return open_any(path);
}

int open64(const char *path, int flags, ...)
{
    return open_any(path);
}

int creat(const char *path, unsigned mode)
{
    return open_any(path);
}

int __braid_is_file(int fd)
{
    int known;
    __braid_atomic_begin();
    known = fd >= FIRST && fd < FIRST + FILES && is_open[fd - FIRST];
    __braid_atomic_end();
    return known;
}

int close(int fd)
{
    int known;
    if (fd >= 0 && fd < FIRST)
        __braid_closes_standard_stream();
    __braid_atomic_begin();
    known = fd >= FIRST && fd < FIRST + FILES && is_open[fd - FIRST];
    if (known)
        is_open[fd - FIRST] = 0;
    __braid_atomic_end();
    if (!known) {
        *__errno_location() = EBADF;
        return -1;
    }
    /* It is closed all the same. */
    if (__braid_call_fails()) {
        *__errno_location() = ENOSPC;
        return -1;
    }
    return 0;
}

struct __braid_file *fopen(const char *path, const char *mode)
{
    struct __braid_file *file;
    int fd;
    if (*mode != 'r' && *mode != 'w' && *mode != 'a') {
        *__errno_location() = EINVAL;
        return 0;
    }
    fd = open_any(path);
    if (fd < 0)
        return 0;
    __braid_atomic_begin();
    if (stream_count == FILES)
        __braid_too_many_files();
    file = &streams[stream_count++];
    __braid_atomic_end();
    file->fd = fd;
    file->read_only = *mode == 'r' && mode[1] != '+' && (!mode[1] || mode[2] != '+');
    return file;
}

struct __braid_file *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

int fclose(struct __braid_file *file)
{
    int fd = file->fd;
    if (fd == -1)
        __braid_closed_stream();
    if (fd < FIRST)
        __braid_closes_standard_stream();
    file->fd = -1;
    return close(fd);
}
