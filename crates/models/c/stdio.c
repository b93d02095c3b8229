/* Streams, byte by byte, most of all the three standard ones: nothing is buffered, so output appears where the program
   produces it, and input is taken when the program asks for it. As a stream belongs to one thread at a
   time, each call is an atomic section. */

static struct __braid_file input = {0};
static struct __braid_file output = {1};
static struct __braid_file errors = {2};

struct __braid_file *stdin = &input;
struct __braid_file *stdout = &output;
struct __braid_file *stderr = &errors;
/* The interpreter sets it. */
int __braid_output_is_read = 0;

int __braid_put(struct __braid_file *file, int byte)
{
    int result = (unsigned char)byte;
    if (__braid_uses_cancel())
        __braid_may_be_cancelled();
    __braid_atomic_begin();
    if (__braid_uses_ferror())
        file->used = 1;
    if (file->fd == 1)
        __braid_output(1, byte);
    else if (file->fd == 2)
        __braid_output(2, byte);
    else if (file->fd == -1)
        __braid_closed_stream();
    else if (file->fd > 2 && !file->read_only) {
        if (__braid_call_fails()) {
            *__errno_location() = ENOSPC;
            file->error = 1;
            result = -1;
        }
    } else {
        *__errno_location() = EBADF;
        file->error = 1;
        result = -1;
    }
    __braid_atomic_end();
    return result;
}

static int get(struct __braid_file *file)
{
    int c;
    if (file->pushed)
        return file->back[--file->pushed];
    if (__braid_uses_ferror())
        file->used = 1;
    if (file->fd == -1)
        __braid_closed_stream();
    if (file->fd > 2)
        __braid_reads_file();
    if (file->fd != 0) {
        *__errno_location() = EBADF;
        file->error = 1;
        return -1;
    }
    /* The end is remembered until clearerr. */
    if (file->ended)
        return -1;
    c = __braid_input();
    if (c < 0)
        file->ended = 1;
    return c;
}

int __braid_get(struct __braid_file *file)
{
    int c;
    if (__braid_uses_cancel())
        __braid_may_be_cancelled();
    __braid_atomic_begin();
    c = get(file);
    __braid_atomic_end();
    return c;
}

int __braid_unget(struct __braid_file *file, int byte)
{
    int result = -1;
    __braid_atomic_begin();
    if (byte != -1 && file->pushed != 16) {
        file->back[file->pushed++] = (unsigned char)byte;
        file->ended = 0;
        result = (unsigned char)byte;
    }
    __braid_atomic_end();
    return result;
}

int fputc(int c, struct __braid_file *file)
{
    return __braid_put(file, c);
}

int putc(int c, struct __braid_file *file)
{
    return __braid_put(file, c);
}

int _IO_putc(int c, struct __braid_file *file)
{
    return __braid_put(file, c);
}

int putc_unlocked(int c, struct __braid_file *file)
{
    return __braid_put(file, c);
}

int fputc_unlocked(int c, struct __braid_file *file)
{
    return __braid_put(file, c);
}

int putchar(int c)
{
    return __braid_put(stdout, c);
}

int putchar_unlocked(int c)
{
    return __braid_put(stdout, c);
}

int putw(int word, struct __braid_file *file)
{
    char *bytes = (char *)&word;
    size_t i;
    for (i = 0; i < sizeof word; i++)
        if (__braid_put(file, bytes[i]) < 0)
            return -1;
    return 0;
}

int fputs(const char *text, struct __braid_file *file)
{
    int result = 1;
    __braid_atomic_begin();
    while (*text && result > 0)
        if (__braid_put(file, *text++) < 0)
            result = -1;
    __braid_atomic_end();
    return result;
}

int fputs_unlocked(const char *text, struct __braid_file *file)
{
    return fputs(text, file);
}

int puts(const char *text)
{
    size_t length;
    int failed;
    __braid_atomic_begin();
    length = strlen(text) + 1;
    failed = fputs(text, stdout) < 0 || __braid_put(stdout, '\n') < 0;
    __braid_atomic_end();
    if (failed)
        return -1;
    return length > 2147483647 ? 2147483647 : (int)length;
}

size_t fwrite(const void *items, size_t size, size_t count, struct __braid_file *file)
{
    const char *bytes = items;
    size_t total = size * count;
    size_t i;
    __braid_atomic_begin();
    for (i = 0; i < total; i++)
        if (__braid_put(file, bytes[i]) < 0)
            break;
    __braid_atomic_end();
    return total ? i / size : 0;
}

size_t fwrite_unlocked(const void *items, size_t size, size_t count, struct __braid_file *file)
{
    return fwrite(items, size, count, file);
}

int fgetc(struct __braid_file *file)
{
    return __braid_get(file);
}

int getc(struct __braid_file *file)
{
    return __braid_get(file);
}

int _IO_getc(struct __braid_file *file)
{
    return __braid_get(file);
}

int getc_unlocked(struct __braid_file *file)
{
    return __braid_get(file);
}

int fgetc_unlocked(struct __braid_file *file)
{
    return __braid_get(file);
}

int getchar(void)
{
    return __braid_get(stdin);
}

int getchar_unlocked(void)
{
    return __braid_get(stdin);
}

int getw(struct __braid_file *file)
{
    int word;
    char *bytes = (char *)&word;
    size_t i;
    for (i = 0; i < sizeof word; i++) {
        int c = __braid_get(file);
        if (c < 0)
            return -1;
        bytes[i] = (char)c;
    }
    return word;
}

int ungetc(int c, struct __braid_file *file)
{
    return __braid_unget(file, c);
}

char *fgets(char *text, int size, struct __braid_file *file)
{
    int n = 0;
    if (size <= 0)
        return 0;
    __braid_atomic_begin();
    while (n < size - 1) {
        int c = __braid_get(file);
        if (c < 0)
            break;
        text[n++] = (char)c;
        if (c == '\n')
            break;
    }
    __braid_atomic_end();
    /* Nothing read although something was asked for: the text stays as it is. */
    if (!n && size > 1)
        return 0;
    text[n] = 0;
    return text;
}

char *fgets_unlocked(char *text, int size, struct __braid_file *file)
{
    return fgets(text, size, file);
}

char *gets(char *text)
{
    size_t n = 0;
    int c = __braid_get(stdin);
    if (c < 0)
        return 0;
    while (c >= 0 && c != '\n') {
        text[n++] = (char)c;
        c = __braid_get(stdin);
    }
    text[n] = 0;
    return text;
}

size_t fread(void *items, size_t size, size_t count, struct __braid_file *file)
{
    char *bytes = items;
    size_t total = size * count;
    size_t i;
    __braid_atomic_begin();
    for (i = 0; i < total; i++) {
        int c = __braid_get(file);
        if (c < 0)
            break;
        bytes[i] = (char)c;
    }
    __braid_atomic_end();
    return total ? i / size : 0;
}

size_t fread_unlocked(void *items, size_t size, size_t count, struct __braid_file *file)
{
    return fread(items, size, count, file);
}

static ssize_t get_line(char **line, size_t *size, int delimiter, struct __braid_file *file)
{
    size_t n = 0;
    int c;
    if (!line || !size) {
        *__errno_location() = EINVAL;
        return -1;
    }
    if (!*line || !*size) {
        *size = 120;
        *line = realloc(*line, *size);
    }
    c = __braid_get(file);
    if (c < 0)
        return -1;
    while (c >= 0) {
        if (n + 2 > *size) {
            *size += *size;
            *line = realloc(*line, *size);
        }
        (*line)[n++] = (char)c;
        if (c == delimiter)
            break;
        c = __braid_get(file);
    }
    (*line)[n] = 0;
    return (ssize_t)n;
}

ssize_t getdelim(char **line, size_t *size, int delimiter, struct __braid_file *file)
{
    ssize_t length;
    __braid_atomic_begin();
    length = get_line(line, size, delimiter, file);
    __braid_atomic_end();
    return length;
}

ssize_t __getdelim(char **line, size_t *size, int delimiter, struct __braid_file *file)
{
    return getdelim(line, size, delimiter, file);
}

ssize_t getline(char **line, size_t *size, struct __braid_file *file)
{
    return getdelim(line, size, '\n', file);
}

int feof(struct __braid_file *file)
{
    return file->ended;
}

int feof_unlocked(struct __braid_file *file)
{
    return file->ended;
}

/* What nobody asked for when it was printed may have failed, too. */
int ferror(struct __braid_file *file)
{
    int error;
    __braid_atomic_begin();
    if (!file->error && file->used && __braid_call_fails())
        file->error = 1;
    error = file->error;
    __braid_atomic_end();
    return error;
}

int ferror_unlocked(struct __braid_file *file)
{
    return ferror(file);
}

void clearerr(struct __braid_file *file)
{
    file->ended = 0;
    file->error = 0;
    file->used = 0;
}

void clearerr_unlocked(struct __braid_file *file)
{
    clearerr(file);
}

int fileno(struct __braid_file *file)
{
    return file->fd;
}

int fileno_unlocked(struct __braid_file *file)
{
    return file->fd;
}

int fflush(struct __braid_file *file)
{
    return file && file->fd < 0 ? -1 : 0;
}

int fflush_unlocked(struct __braid_file *file)
{
    return fflush(file);
}

/* Where the result of printing is used, it goes through one of these: what was printed may not have arrived. If
   nothing fails, the result is not looked at: it may be the length of an address. */

static void fail(struct __braid_file *file)
{
    *__errno_location() = ENOSPC;
    if (file) {
        __braid_atomic_begin();
        file->error = 1;
        __braid_atomic_end();
    }
}

int __braid_printed_to(int result, struct __braid_file *file)
{
    if (!__braid_call_fails() || result < 0)
        return result;
    fail(file);
    return -1;
}

int __braid_printed(int result)
{
    return __braid_printed_to(result, stdout);
}

int __braid_printed_by_number(int result)
{
    return __braid_printed_to(result, 0);
}

size_t __braid_part_printed(size_t result, struct __braid_file *file)
{
    if (!__braid_call_fails() || !result)
        return result;
    fail(file);
    return (size_t)(unsigned)__braid_value_int() % result;
}

/* An error, or less than all of it. */
ssize_t __braid_part_written(ssize_t result)
{
    size_t part;
    if (!__braid_call_fails() || result <= 0)
        return result;
    part = (size_t)(unsigned)__braid_value_int() % (size_t)result;
    if (part)
        return (ssize_t)part;
    fail(0);
    return -1;
}

int setvbuf(struct __braid_file *file, char *buffer, int mode, size_t size)
{
    return mode < 0 || mode > 2 ? -1 : 0;
}

void setbuf(struct __braid_file *file, char *buffer)
{
}

void setbuffer(struct __braid_file *file, char *buffer, size_t size)
{
}

void setlinebuf(struct __braid_file *file)
{
}

void perror(const char *prefix)
{
    const char *message = strerror(*__errno_location());
    __braid_atomic_begin();
    if (prefix && *prefix) {
        fputs(prefix, stderr);
        fputs(": ", stderr);
    }
    fputs(message, stderr);
    __braid_put(stderr, '\n');
    __braid_atomic_end();
}

ssize_t write(int fd, const void *bytes, size_t count)
{
    const char *p = bytes;
    size_t i;
    if (fd > 2 && __braid_uses_files() && __braid_is_file(fd)) {
        for (i = 0; i < count; i++)
            (void)((const volatile char *)p)[i];
        if (__braid_call_fails()) {
            *__errno_location() = ENOSPC;
            return -1;
        }
        return (ssize_t)count;
    }
    if (fd != 1 && fd != 2) {
        *__errno_location() = EBADF;
        return -1;
    }
    __braid_atomic_begin();
    for (i = 0; i < count; i++)
        __braid_put(fd == 1 ? &output : &errors, p[i]);
    __braid_atomic_end();
    return (ssize_t)count;
}

ssize_t read(int fd, void *bytes, size_t count)
{
    char *p = bytes;
    size_t i;
    if (fd > 2 && __braid_uses_files() && __braid_is_file(fd))
        __braid_reads_file();
    if (fd != 0) {
        *__errno_location() = EBADF;
        return -1;
    }
    /* It may give less than was asked for although more is to come, but at least one byte. */
    if (count > 1)
        count -= (size_t)(unsigned)__braid_value_int() % count;
    for (i = 0; i < count; i++) {
        int c = __braid_input();
        if (c < 0)
            break;
        p[i] = (char)c;
    }
    return (ssize_t)i;
}
