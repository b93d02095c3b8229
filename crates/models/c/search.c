/* Functions that look for something in a string, or take it apart. */

int strncmp(const char *a, const char *b, size_t limit);
int strncasecmp(const char *a, const char *b, size_t limit);

char *strchrnul(const char *text, int c)
{
    while (*text && *text != (char)c)
        text++;
    return (char *)text;
}

char *strchr(const char *text, int c)
{
    char *found = strchrnul(text, c);
    return *found == (char)c ? found : 0;
}

char *index(const char *text, int c)
{
    return strchr(text, c);
}

char *strrchr(const char *text, int c)
{
    const char *found = 0;
    do {
        if (*text == (char)c)
            found = text;
    } while (*text++);
    return (char *)found;
}

char *rindex(const char *text, int c)
{
    return strrchr(text, c);
}

char *strstr(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (;; text++) {
        if (!strncmp(text, part, length))
            return (char *)text;
        if (!*text)
            return 0;
    }
}

char *strcasestr(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (;; text++) {
        if (!strncasecmp(text, part, length))
            return (char *)text;
        if (!*text)
            return 0;
    }
}

size_t strspn(const char *text, const char *set)
{
    size_t n = 0;
    while (text[n] && strchr(set, text[n]))
        n++;
    return n;
}

size_t strcspn(const char *text, const char *set)
{
    size_t n = 0;
    while (text[n] && !strchr(set, text[n]))
        n++;
    return n;
}

char *strpbrk(const char *text, const char *set)
{
    text += strcspn(text, set);
    return *text ? (char *)text : 0;
}

char *strsep(char **rest, const char *delimiters)
{
    char *token = *rest;
    char *end;
    if (!token)
        return 0;
    end = token + strcspn(token, delimiters);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else
        *rest = 0;
    return token;
}

char *strtok_r(char *text, const char *delimiters, char **rest)
{
    char *token = text ? text : *rest;
    char *end;
    token += strspn(token, delimiters);
    end = token + strcspn(token, delimiters);
    if (end == token) {
        *rest = token;
        return 0;
    }
    if (*end)
        *end++ = 0;
    *rest = end;
    return token;
}

char *__strtok_r(char *text, const char *delimiters, char **rest)
{
    return strtok_r(text, delimiters, rest);
}

static char *strtok_state;

char *strtok(char *text, const char *delimiters)
{
    return strtok_r(text, delimiters, &strtok_state);
}
