/* Functions on byte arrays. Each touches exactly the bytes its definition needs: a comparison or
   search stops where the answer is known. memcpy, memmove and memset are operations. */

int memcmp(const void *a, const void *b, size_t length)
{
    const unsigned char *x = a;
    const unsigned char *y = b;
    int result = 0;
    size_t i;
    /* Both objects must have all the bytes, wherever the first difference is. */
    for (i = 0; i < length; i++) {
        int difference = x[i] - y[i];
        if (!result)
            result = difference;
    }
    return result;
}

int bcmp(const void *a, const void *b, size_t length)
{
    return memcmp(a, b, length);
}

void *memchr(const void *bytes, int c, size_t length)
{
    const unsigned char *p = bytes;
    size_t i;
    for (i = 0; i < length; i++)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return 0;
}

void *rawmemchr(const void *bytes, int c)
{
    const unsigned char *p = bytes;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}

void *memrchr(const void *bytes, int c, size_t length)
{
    const unsigned char *p = bytes;
    while (length--)
        if (p[length] == (unsigned char)c)
            return (void *)(p + length);
    return 0;
}

void *memmem(const void *text, size_t length, const void *part, size_t part_length)
{
    const unsigned char *p = text;
    size_t i;
    if (part_length > length)
        return 0;
    for (i = 0; i <= length - part_length; i++)
        if (!memcmp(p + i, part, part_length))
            return (void *)(p + i);
    return 0;
}

void *mempcpy(void *to, const void *from, size_t length)
{
    return (char *)__braid_copy(to, from, length) + length;
}

void *__mempcpy(void *to, const void *from, size_t length)
{
    return (char *)__braid_copy(to, from, length) + length;
}

void *memccpy(void *to, const void *from, int c, size_t length)
{
    unsigned char *x = to;
    const unsigned char *y = from;
    size_t i;
    for (i = 0; i < length; i++) {
        x[i] = y[i];
        if (y[i] == (unsigned char)c)
            return x + i + 1;
    }
    return 0;
}

void bzero(void *to, size_t length)
{
    __braid_fill(to, 0, length);
}

void explicit_bzero(void *to, size_t length)
{
    __braid_fill(to, 0, length);
}

void bcopy(const void *from, void *to, size_t length)
{
    __braid_move(to, from, length);
}

void swab(const void *from, void *to, ssize_t length)
{
    const char *x = from;
    char *y = to;
    ssize_t i;
    for (i = 0; i + 1 < length; i += 2) {
        char low = x[i];
        y[i] = x[i + 1];
        y[i + 1] = low;
    }
}

int ffsll(long long bits)
{
    return bits ? __builtin_ctzll((unsigned long long)bits) + 1 : 0;
}

int ffsl(long bits)
{
    return ffsll(bits);
}

int ffs(int bits)
{
    return ffsll(bits);
}
