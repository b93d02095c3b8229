/* The heap. Allocation fails if the size is more than any object can have, and where it is asked for;
   the checks of `free` are the operation's own. */

/* A block, or null. */
static void *allocate(size_t size, size_t align, int zeroed)
{
    if (__braid_alloc_fails()) {
        *__errno_location() = ENOMEM;
        return 0;
    }
    return zeroed ? __braid_alloc(size, align, 1) : __braid_alloc(size, align, 0);
}

void *malloc(size_t size)
{
    /* PTRDIFF_MAX, the largest object there can be. */
    if (size > (size_t)-1 / 2) {
        *__errno_location() = ENOMEM;
        return 0;
    }
    return allocate(size, 16, 0);
}

void *calloc(size_t count, size_t size)
{
    if ((size && count > (size_t)-1 / size) || count * size > (size_t)-1 / 2) {
        *__errno_location() = ENOMEM;
        return 0;
    }
    return allocate(count * size, 16, 1);
}

void *realloc(void *block, size_t size)
{
    size_t old;
    char *fresh;
    if (!block)
        return malloc(size);
    if (!size) {
        __braid_free(block);
        return 0;
    }
    if (size > (size_t)-1 / 2) {
        *__errno_location() = ENOMEM;
        return 0;
    }
    old = __braid_object_size(block);
    fresh = allocate(size, 16, 0);
    if (!fresh)
        return 0;
    /* Of something that is not a live block the free is the violation: the copy stays inside. */
    __braid_copy(fresh, block, old < size ? old : size);
    __braid_free(block);
    return fresh;
}

void *reallocarray(void *block, size_t count, size_t size)
{
    if (size && count > (size_t)-1 / size) {
        *__errno_location() = ENOMEM;
        return 0;
    }
    return realloc(block, count * size);
}

static int is_power_of_two(size_t n)
{
    return n && !(n & (n - 1));
}

void *aligned_alloc(size_t align, size_t size)
{
    size_t power = 16;
    if (align > (size_t)-1 / 2 + 1) {
        *__errno_location() = EINVAL;
        return 0;
    }
    if (size > (size_t)-1 / 2 - align) {
        *__errno_location() = ENOMEM;
        return 0;
    }
    /* What is no power of two is rounded up to one, as glibc does. */
    while (power < align)
        power += power;
    return allocate(size, power, 0);
}

void *memalign(size_t align, size_t size)
{
    return aligned_alloc(align, size);
}

void *valloc(size_t size)
{
    return aligned_alloc(4096, size);
}

int posix_memalign(void **result, size_t align, size_t size)
{
    if (align % sizeof(void *) || !is_power_of_two(align / sizeof(void *)))
        return EINVAL;
    if (size > (size_t)-1 / 2 - align)
        return ENOMEM;
    void *block = allocate(size, align < 16 ? 16 : align, 0);
    if (!block)
        return ENOMEM;
    *result = block;
    return 0;
}

char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = allocate(size, 16, 0);
    return copy ? __braid_copy(copy, text, size) : 0;
}

char *strndup(const char *text, size_t limit)
{
    size_t length = strnlen(text, limit);
    char *copy = allocate(length + 1, 16, 0);
    if (!copy)
        return 0;
    __braid_copy(copy, text, length);
    copy[length] = 0;
    return copy;
}

char *__strdup(const char *text)
{
    return strdup(text);
}

char *__strndup(const char *text, size_t limit)
{
    return strndup(text, limit);
}
