/* The checking names gcc uses under _FORTIFY_SOURCE: each is told how much room the destination has
   and ends the program if that is not enough. */

int fputs(const char *text, struct __braid_file *file);
char *strcpy(char *to, const char *from);
char *stpcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t limit);
char *stpncpy(char *to, const char *from, size_t limit);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t limit);
char *fgets(char *text, int size, struct __braid_file *file);
ssize_t read(int fd, void *bytes, size_t count);
size_t fread(void *items, size_t size, size_t count, struct __braid_file *file);

void __chk_fail(void)
{
    fputs("*** buffer overflow detected ***: terminated\n", stderr);
    abort();
}

void __stack_chk_fail(void)
{
    fputs("*** stack smashing detected ***: terminated\n", stderr);
    abort();
}

void *__memcpy_chk(void *to, const void *from, size_t length, size_t room)
{
    if (length > room)
        __chk_fail();
    return __braid_copy(to, from, length);
}

void *__mempcpy_chk(void *to, const void *from, size_t length, size_t room)
{
    return (char *)__memcpy_chk(to, from, length, room) + length;
}

void *__memmove_chk(void *to, const void *from, size_t length, size_t room)
{
    if (length > room)
        __chk_fail();
    return __braid_move(to, from, length);
}

void *__memset_chk(void *to, int byte, size_t length, size_t room)
{
    if (length > room)
        __chk_fail();
    return __braid_fill(to, byte, length);
}

char *__strcpy_chk(char *to, const char *from, size_t room)
{
    if (strlen(from) >= room)
        __chk_fail();
    return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t room)
{
    if (strlen(from) >= room)
        __chk_fail();
    return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t limit, size_t room)
{
    if (limit > room)
        __chk_fail();
    return strncpy(to, from, limit);
}

char *__stpncpy_chk(char *to, const char *from, size_t limit, size_t room)
{
    if (limit > room)
        __chk_fail();
    return stpncpy(to, from, limit);
}

char *__strcat_chk(char *to, const char *from, size_t room)
{
    if (strlen(to) + strlen(from) >= room)
        __chk_fail();
    return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t limit, size_t room)
{
    if (strlen(to) + strnlen(from, limit) >= room)
        __chk_fail();
    return strncat(to, from, limit);
}

char *__fgets_chk(char *text, size_t room, int size, struct __braid_file *file)
{
    if (size > 0 && (size_t)size > room)
        __chk_fail();
    return fgets(text, size, file);
}

size_t __fread_chk(void *items, size_t room, size_t size, size_t count, struct __braid_file *file)
{
    if (size && count > room / size)
        __chk_fail();
    return fread(items, size, count, file);
}

ssize_t __read_chk(int fd, void *bytes, size_t count, size_t room)
{
    if (count > room)
        __chk_fail();
    return read(fd, bytes, count);
}
