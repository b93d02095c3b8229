/* The names of the printf family. All end in one of two: text for a stream, or text in memory. */

int __braid_format_stream(struct __braid_file *file, const char *format, struct __braid_args *args)
{
    struct __braid_sink sink;
    int result;
    sink.file = file;
    sink.text = 0;
    sink.room = 0;
    sink.length = 0;
    sink.owed = 0;
    /* A stream belongs to one thread at a time. */
    __braid_atomic_begin();
    result = __braid_format(&sink, format, args);
    __braid_atomic_end();
    return result < 0 || ((file->fd < 1 || file->read_only) && result) ? -1 : result + (int)sink.owed;
}

/* The same if nobody asks for the length, for formats that are as simple as __braid_format_nothing wants them.
   Where nobody reads the text either, it is not made: converting numbers that are not known is hard work. The
   same memory of the user's is read in the same order, by the same instructions. */
static void format_unread(struct __braid_file *file, const char *format, struct __braid_args *args)
{
    __braid_atomic_begin();
    if (__braid_output_is_read)
        __braid_format_stream(file, format, args);
    else {
        if (file->fd < 1 || file->read_only)
            __braid_odd_stream();
        if (__braid_uses_ferror())
            file->used = 1;
        __braid_format_nothing(format, args);
    }
    __braid_atomic_end();
}

/* As snprintf: at most `size` bytes are written, the last of them a zero. */
int __braid_format_text(char *text, size_t size, const char *format, struct __braid_args *args)
{
    struct __braid_sink sink;
    int result;
    sink.file = 0;
    sink.text = text;
    sink.room = size ? size - 1 : 0;
    sink.length = 0;
    sink.owed = 0;
    result = __braid_format(&sink, format, args);
    if (size)
        text[sink.length < sink.room ? sink.length : sink.room] = 0;
    return result;
}

static int format_allocated(char **text, const char *format, struct __braid_args *args)
{
    struct __braid_args again;
    int length;
    __builtin_va_copy(again.list, args->list);
    length = __braid_format_text(0, 0, format, args);
    if (length >= 0) {
        *text = malloc((size_t)length + 1);
        if (!*text) {
            __builtin_va_end(again.list);
            return -1;
        }
        length = __braid_format_text(*text, (size_t)length + 1, format, &again);
    }
    __builtin_va_end(again.list);
    return length;
}

static int format_fd(int fd, const char *format, struct __braid_args *args)
{
    if (fd != 1 && fd != 2) {
        *__errno_location() = EBADF;
        return -1;
    }
    return __braid_format_stream(fd == 1 ? stdout : stderr, format, args);
}

int printf(const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_format_stream(stdout, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int vprintf(const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_format_stream(stdout, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int fprintf(struct __braid_file *file, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_format_stream(file, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int vfprintf(struct __braid_file *file, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_format_stream(file, format, &args);
    __builtin_va_end(args.list);
    return result;
}

/* What stands for two of these where the result is not used and the format is simple. */

void __braid_unread_printf(const char *format, ...)
{
    struct __braid_args args;
    __builtin_va_start(args.list, format);
    format_unread(stdout, format, &args);
    __builtin_va_end(args.list);
}

void __braid_unread_fprintf(struct __braid_file *file, const char *format, ...)
{
    struct __braid_args args;
    __builtin_va_start(args.list, format);
    format_unread(file, format, &args);
    __builtin_va_end(args.list);
}

int dprintf(int fd, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = format_fd(fd, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int vdprintf(int fd, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = format_fd(fd, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int sprintf(char *text, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_format_text(text, (size_t)-1, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int vsprintf(char *text, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_format_text(text, (size_t)-1, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_format_text(text, size, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int vsnprintf(char *text, size_t size, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_format_text(text, size, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int asprintf(char **text, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = format_allocated(text, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int vasprintf(char **text, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = format_allocated(text, format, &args);
    __builtin_va_end(args.list);
    return result;
}

/* The names gcc uses under _FORTIFY_SOURCE: the room known to the compiler is passed along. */

void __chk_fail(void) __attribute__((noreturn));

/* Text that does not fit the known room ends the program, as far as it was written or not. */
static int format_checked(char *text, size_t room, size_t size, const char *format,
                          struct __braid_args *args)
{
    int length;
    if (size != (size_t)-1) {
        if (size > room)
            __chk_fail();
        return __braid_format_text(text, size, format, args);
    }
    length = __braid_format_text(text, room, format, args);
    if (length >= 0 && (size_t)length >= room)
        __chk_fail();
    return length;
}

int __printf_chk(int flag, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_format_stream(stdout, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __vprintf_chk(int flag, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_format_stream(stdout, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __fprintf_chk(struct __braid_file *file, int flag, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = __braid_format_stream(file, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __vfprintf_chk(struct __braid_file *file, int flag, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = __braid_format_stream(file, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __sprintf_chk(char *text, int flag, size_t room, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = format_checked(text, room, (size_t)-1, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __vsprintf_chk(char *text, int flag, size_t room, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = format_checked(text, room, (size_t)-1, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __snprintf_chk(char *text, size_t size, int flag, size_t room, const char *format, ...)
{
    struct __braid_args args;
    int result;
    __builtin_va_start(args.list, format);
    result = format_checked(text, room, size, format, &args);
    __builtin_va_end(args.list);
    return result;
}

int __vsnprintf_chk(char *text, size_t size, int flag, size_t room, const char *format, va_list list)
{
    struct __braid_args args;
    int result;
    __builtin_va_copy(args.list, list);
    result = format_checked(text, room, size, format, &args);
    __builtin_va_end(args.list);
    return result;
}
