/* Functions on strings: length, copy, comparison. A string is read up to and including its
   terminating zero and not beyond; a limit is never exceeded. */

size_t strlen(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

size_t strnlen(const char *text, size_t limit)
{
    size_t n = 0;
    while (n < limit && text[n])
        n++;
    return n;
}

char *stpcpy(char *to, const char *from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *__stpcpy(char *to, const char *from)
{
    return stpcpy(to, from);
}

char *strcpy(char *to, const char *from)
{
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *to, const char *from, size_t limit)
{
    size_t length = 0;
    size_t i;
    while (length < limit && from[length]) {
        to[length] = from[length];
        length++;
    }
    for (i = length; i < limit; i++)
        to[i] = 0;
    return to + length;
}

char *strncpy(char *to, const char *from, size_t limit)
{
    stpncpy(to, from, limit);
    return to;
}

char *strcat(char *to, const char *from)
{
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t limit)
{
    char *end = to + strlen(to);
    while (limit-- && *from)
        *end++ = *from++;
    *end = 0;
    return to;
}

size_t strlcpy(char *to, const char *from, size_t size)
{
    size_t i;
    for (i = 0; i + 1 < size && from[i]; i++)
        to[i] = from[i];
    if (size)
        to[i] = 0;
    return strlen(from);
}

size_t strlcat(char *to, const char *from, size_t size)
{
    size_t length = strnlen(to, size);
    if (length == size)
        return size + strlen(from);
    return length + strlcpy(to + length, from, size - length);
}

int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t limit)
{
    size_t i;
    for (i = 0; i < limit; i++)
        if (!a[i] || a[i] != b[i])
            return (unsigned char)a[i] - (unsigned char)b[i];
    return 0;
}

static int lower(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte;
}

int strcasecmp(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) - lower(*b);
}

int strncasecmp(const char *a, const char *b, size_t limit)
{
    size_t i;
    for (i = 0; i < limit; i++)
        if (!a[i] || lower(a[i]) != lower(b[i]))
            return lower(a[i]) - lower(b[i]);
    return 0;
}

int strcoll(const char *a, const char *b)
{
    return strcmp(a, b);
}

size_t strxfrm(char *to, const char *from, size_t size)
{
    size_t length = strlen(from);
    size_t i;
    for (i = 0; i < size && i <= length; i++)
        to[i] = from[i];
    return length;
}
