/* The environment, empty at first. `environ` is memory that threads can race on: what changes the environment
   writes it, what looks at the environment reads it. */

enum { MOST = 16 };
static char *variables[MOST + 1];
char **environ = variables;

static size_t length_of(const char *name)
{
    size_t length = 0;
    while (name[length] && name[length] != '=')
        length++;
    return length;
}

/* The place of a variable in a vector, or the vector's end. */
static int find(char **list, const char *name, size_t length)
{
    int i;
    for (i = 0; list && list[i]; i++) {
        size_t k = 0;
        while (k < length && list[i][k] == name[k])
            k++;
        if (k == length && list[i][k] == '=')
            break;
    }
    return i;
}

char *getenv(const char *name)
{
    char **list = environ;
    size_t length = strlen(name);
    int i = find(list, name, length);
    return list && list[i] ? list[i] + length + 1 : 0;
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}

/* The library's own vector, to be changed. A program that has set `environ` to one of its own is left alone. */
static char **own(void)
{
    char **list = environ;
    if (!list) {
        variables[0] = 0;
        list = variables;
    }
    if (list != variables)
        __braid_other_environment();
    environ = list;
    return variables;
}

/* Puts `text` in the place of the variable. */
static void put(char *text, size_t length)
{
    char **list = own();
    int i = find(list, text, length);
    if (i == MOST)
        __braid_other_environment();
    if (!list[i])
        list[i + 1] = 0;
    list[i] = text;
}

int unsetenv(const char *name)
{
    size_t length = name ? length_of(name) : 0;
    char **list;
    int i;
    if (!length || name[length]) {
        *__errno_location() = EINVAL;
        return -1;
    }
    list = own();
    for (i = find(list, name, length); list[i]; i++)
        list[i] = list[i + 1];
    return 0;
}

int setenv(const char *name, const char *value, int overwrite)
{
    size_t length = name ? length_of(name) : 0;
    size_t rest;
    char *text;
    char **list;
    if (!length || name[length]) {
        *__errno_location() = EINVAL;
        return -1;
    }
    list = own();
    if (!overwrite && list[find(list, name, length)])
        return 0;
    rest = strlen(value);
    text = __braid_alloc(length + rest + 2, 1, 0);
    __braid_copy(text, name, length);
    text[length] = '=';
    __braid_copy(text + length + 1, value, rest + 1);
    put(text, length);
    return 0;
}

int putenv(char *text)
{
    size_t length = length_of(text);
    if (!text[length])
        return unsetenv(text);
    put(text, length);
    return 0;
}

int clearenv(void)
{
    environ = 0;
    return 0;
}
