/* Integers from text. One reader of digits serves all: it saturates, and each function says where its
   type's limits are. */

struct number {
    unsigned long long magnitude;
    int negative;
    int overflow;
};

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

/* Skips "0x" (or, from C23 on, "0b") where the base allows it and a digit follows; settles base 0. */
static const char *skip_prefix(const char *p, int *base, int binary)
{
    int letter = p[0] == '0' ? tolower((unsigned char)p[1]) : 0;
    if (letter == 'x' && (*base == 0 || *base == 16) && digit_value(p[2]) < 16) {
        *base = 16;
        return p + 2;
    }
    if (binary && letter == 'b' && (*base == 0 || *base == 2) && digit_value(p[2]) < 2) {
        *base = 2;
        return p + 2;
    }
    if (*base == 0)
        *base = *p == '0' ? 8 : 10;
    return p;
}

/* Returns 0 if the base is none. */
static int read_number(const char *text, char **end, int base, int binary, struct number *n)
{
    const char *p = text;
    const char *digits;
    n->magnitude = 0;
    n->negative = 0;
    n->overflow = 0;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = EINVAL;
        return 0;
    }
    while (isspace((unsigned char)*p))
        p++;
    if (*p == '-' || *p == '+')
        n->negative = *p++ == '-';
    p = skip_prefix(p, &base, binary);
    for (digits = p; digit_value(*p) < base; p++) {
        unsigned digit = (unsigned)digit_value(*p);
        if (n->magnitude > ((unsigned long long)-1 - digit) / (unsigned)base)
            n->overflow = 1;
        n->magnitude = n->magnitude * (unsigned)base + digit;
    }
    if (end)
        *end = (char *)(p > digits ? p : text);
    return 1;
}

/* `largest` is the type's greatest value; its least is one further below zero. */
static long long to_signed(const char *text, char **end, int base, int binary, unsigned long long largest)
{
    struct number n;
    unsigned long long limit;
    if (!read_number(text, end, base, binary, &n))
        return 0;
    limit = n.negative ? largest + 1 : largest;
    if (n.overflow || n.magnitude > limit) {
        *__errno_location() = ERANGE;
        n.magnitude = limit;
    }
    return (long long)(n.negative ? 0 - n.magnitude : n.magnitude);
}

static unsigned long long to_unsigned(const char *text, char **end, int base, int binary,
                                      unsigned long long largest)
{
    struct number n;
    if (!read_number(text, end, base, binary, &n))
        return 0;
    if (n.overflow || n.magnitude > largest) {
        *__errno_location() = ERANGE;
        return largest;
    }
    return n.negative ? 0 - n.magnitude : n.magnitude;
}

long strtol(const char *text, char **end, int base)
{
    return (long)to_signed(text, end, base, 0, (unsigned long)-1 / 2);
}

long __isoc23_strtol(const char *text, char **end, int base)
{
    return (long)to_signed(text, end, base, 1, (unsigned long)-1 / 2);
}

long long strtoll(const char *text, char **end, int base)
{
    return to_signed(text, end, base, 0, (unsigned long long)-1 / 2);
}

long long __isoc23_strtoll(const char *text, char **end, int base)
{
    return to_signed(text, end, base, 1, (unsigned long long)-1 / 2);
}

long long strtoimax(const char *text, char **end, int base)
{
    return to_signed(text, end, base, 0, (unsigned long long)-1 / 2);
}

long long __isoc23_strtoimax(const char *text, char **end, int base)
{
    return to_signed(text, end, base, 1, (unsigned long long)-1 / 2);
}

unsigned long strtoul(const char *text, char **end, int base)
{
    return (unsigned long)to_unsigned(text, end, base, 0, (unsigned long)-1);
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base)
{
    return (unsigned long)to_unsigned(text, end, base, 1, (unsigned long)-1);
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    return to_unsigned(text, end, base, 0, (unsigned long long)-1);
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base)
{
    return to_unsigned(text, end, base, 1, (unsigned long long)-1);
}

unsigned long long strtoumax(const char *text, char **end, int base)
{
    return to_unsigned(text, end, base, 0, (unsigned long long)-1);
}

unsigned long long __isoc23_strtoumax(const char *text, char **end, int base)
{
    return to_unsigned(text, end, base, 1, (unsigned long long)-1);
}

long long strtoq(const char *text, char **end, int base)
{
    return strtoll(text, end, base);
}

unsigned long long strtouq(const char *text, char **end, int base)
{
    return strtoull(text, end, base);
}

long atol(const char *text)
{
    return strtol(text, 0, 10);
}

int atoi(const char *text)
{
    return (int)strtol(text, 0, 10);
}

long long atoll(const char *text)
{
    return strtoll(text, 0, 10);
}
