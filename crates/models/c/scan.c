/* The scanf family. Input comes from a stream or a string, one byte ahead at most; an item that does
   not match ends the call with the number of items stored so far. */

enum { PLAIN, CHAR, SHORT, LONG, LONG_LONG, SIZE };
/* How a conversion ended. */
enum { MATCHED, MISMATCH, INPUT_ENDED };
enum { REAL_TEXT = 1200 };

struct reader {
    struct __braid_file *file;
    const char *text;
    long count;
};

struct item {
    int suppressed;
    int allocate;
    long width;
    int size;
    int conversion;
    const char *set;
    const char *set_end;
};

static int next(struct reader *r)
{
    int c;
    if (r->file)
        c = __braid_get(r->file);
    else if (*r->text)
        c = (unsigned char)*r->text++;
    else
        c = -1;
    if (c >= 0)
        r->count++;
    return c;
}

static void give_back(struct reader *r, int c)
{
    if (c < 0)
        return;
    r->count--;
    if (r->file)
        __braid_unget(r->file, c);
    else
        r->text--;
}

/* The next byte that is no white space. */
static int skip_space(struct reader *r)
{
    int c = next(r);
    while (c >= 0 && isspace(c))
        c = next(r);
    return c;
}

static const char *read_set(const char *p, struct item *item)
{
    item->set = p;
    if (*p == '^')
        p++;
    /* A bracket that comes first is a member. */
    if (*p == ']')
        p++;
    while (*p && *p != ']')
        p++;
    item->set_end = p;
    return *p ? p + 1 : p;
}

static const char *read_size(const char *p, struct item *item)
{
    switch (*p) {
    case 'h':
        item->size = p[1] == 'h' ? CHAR : SHORT;
        return p + (p[1] == 'h' ? 2 : 1);
    case 'l':
        item->size = p[1] == 'l' ? LONG_LONG : LONG;
        return p + (p[1] == 'l' ? 2 : 1);
    case 'j':
    case 'q':
    case 'L':
        item->size = LONG_LONG;
        return p + 1;
    case 'z':
    case 't':
        item->size = SIZE;
        return p + 1;
    default:
        return p;
    }
}

/* Reads what follows a '%'. */
static const char *read_item(const char *p, struct item *item)
{
    item->suppressed = 0;
    item->allocate = 0;
    item->width = 0;
    item->size = PLAIN;
    for (; *p == '*' || *p == '\''; p++)
        if (*p == '*')
            item->suppressed = 1;
    for (; *p >= '0' && *p <= '9'; p++)
        if (item->width < 100000000)
            item->width = item->width * 10 + (*p - '0');
    if (*p == 'm') {
        item->allocate = 1;
        p++;
    }
    p = read_size(p, item);
    item->conversion = *p;
    if (!*p)
        return p;
    return *p == '[' ? read_set(p + 1, item) : p + 1;
}

static void store_integer(struct item *item, struct __braid_args *args, unsigned long long value)
{
    void *to;
    if (item->suppressed)
        return;
    to = __builtin_va_arg(args->list, void *);
    switch (item->size) {
    case CHAR:
        *(signed char *)to = (signed char)value;
        break;
    case SHORT:
        *(short *)to = (short)value;
        break;
    case LONG:
    case SIZE:
        *(long *)to = (long)value;
        break;
    case LONG_LONG:
        *(long long *)to = (long long)value;
        break;
    default:
        *(int *)to = (int)value;
    }
}

/* The value strtol or strtoul (strtoll, strtoull for long long) would give. */
static unsigned long long clamp(struct item *item, int is_signed, unsigned long long magnitude,
                                int negative, int overflow)
{
    unsigned long long largest = item->size == LONG_LONG ? (unsigned long long)-1 : (unsigned long)-1;
    if (is_signed)
        largest = negative ? largest / 2 + 1 : largest / 2;
    if (overflow || magnitude > largest) {
        *__errno_location() = ERANGE;
        return is_signed && negative ? 0 - largest : largest;
    }
    return negative ? 0 - magnitude : magnitude;
}

static int digit_value(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

static unsigned base_of(int conversion)
{
    switch (conversion) {
    case 'i':
        return 0;
    case 'o':
        return 8;
    case 'x':
    case 'X':
    case 'p':
        return 16;
    default:
        return 10;
    }
}

/* "(nil)", which %p prints for a null pointer. */
static int scan_nil(struct reader *r, struct item *item, struct __braid_args *args)
{
    const char *rest = "nil)";
    for (; *rest; rest++) {
        int c = next(r);
        if (tolower(c) != *rest) {
            give_back(r, c);
            return MISMATCH;
        }
    }
    item->size = LONG;
    store_integer(item, args, 0);
    return MATCHED;
}

/* An integer while it is read: `c` is the next byte, -1 at the end of input or of the width. */
struct integer {
    unsigned base;
    unsigned long long magnitude;
    long left;
    int c;
    int negative;
    int digits;
    int overflow;
};

static void advance(struct reader *r, struct integer *n)
{
    n->left--;
    n->c = n->left ? next(r) : -1;
}

/* A leading zero, and what it may begin: "0x", or an octal number where the base is open. */
static void read_prefix(struct reader *r, struct integer *n)
{
    if (n->c != '0') {
        if (n->base == 0)
            n->base = 10;
        return;
    }
    n->digits = 1;
    advance(r, n);
    if ((n->base == 0 || n->base == 16) && (n->c == 'x' || n->c == 'X')) {
        n->base = 16;
        /* glibc takes "0x" without digits as a zero, so `digits` stays. */
        advance(r, n);
    } else if (n->base == 0)
        n->base = 8;
}

static void read_digits(struct reader *r, struct integer *n)
{
    while (n->c >= 0 && digit_value(n->c) < (int)n->base) {
        unsigned digit = (unsigned)digit_value(n->c);
        if (n->magnitude > ((unsigned long long)-1 - digit) / n->base)
            n->overflow = 1;
        n->magnitude = n->magnitude * n->base + digit;
        n->digits = 1;
        advance(r, n);
    }
}

static int scan_integer(struct reader *r, struct item *item, struct __braid_args *args)
{
    struct integer n = {0, 0, 0, 0, 0, 0, 0};
    int is_signed = item->conversion == 'd' || item->conversion == 'i';
    n.base = base_of(item->conversion);
    n.left = item->width ? item->width : 0x7fffffff;
    n.c = skip_space(r);
    if (n.c < 0)
        return INPUT_ENDED;
    if (item->conversion == 'p') {
        if (n.c == '(')
            return scan_nil(r, item, args);
        item->size = LONG;
    }
    if (n.c == '-' || n.c == '+') {
        n.negative = n.c == '-';
        advance(r, &n);
    }
    read_prefix(r, &n);
    read_digits(r, &n);
    give_back(r, n.c);
    if (!n.digits)
        return MISMATCH;
    store_integer(item, args, clamp(item, is_signed, n.magnitude, n.negative, n.overflow));
    return MATCHED;
}

/* Whether `c` belongs to the set; in a-z the dash stands for all between. */
static int in_set(struct item *item, int c)
{
    const unsigned char *p = (const unsigned char *)item->set;
    const unsigned char *end = (const unsigned char *)item->set_end;
    int inverted = *p == '^';
    if (inverted)
        p++;
    for (; p < end; p++) {
        if (p[0] == c)
            return !inverted;
        if (p + 2 < end && p[1] == '-') {
            if (p[0] <= c && c <= p[2])
                return !inverted;
            p++;
        }
    }
    return inverted;
}

static int accepts(struct item *item, int c)
{
    if (c < 0)
        return 0;
    if (item->conversion == 'c')
        return 1;
    return item->conversion == '[' ? in_set(item, c) : !isspace(c);
}

/* %c, %s and %[set]; with `m` into a block of its own. */
static int scan_text(struct reader *r, struct item *item, struct __braid_args *args)
{
    long left = item->width ? item->width : item->conversion == 'c' ? 1 : 0x7fffffff;
    int c = item->conversion == 's' ? skip_space(r) : next(r);
    char *to = 0;
    char **block = 0;
    size_t room = 32;
    size_t n = 0;
    if (c < 0)
        return INPUT_ENDED;
    if (!accepts(item, c)) {
        give_back(r, c);
        return MISMATCH;
    }
    if (!item->suppressed) {
        if (item->allocate) {
            block = __builtin_va_arg(args->list, char **);
            to = malloc(room);
            if (!to)
                return INPUT_ENDED;
        } else
            to = __builtin_va_arg(args->list, char *);
    }
    while (accepts(item, c)) {
        if (block && n + 1 == room) {
            char *more = realloc(to, room += room);
            if (!more) {
                __braid_free(to);
                return INPUT_ENDED;
            }
            to = more;
        }
        if (to)
            to[n] = (char)c;
        n++;
        left--;
        if (!left)
            break;
        c = next(r);
    }
    if (left)
        give_back(r, c);
    if (to && item->conversion != 'c')
        to[n] = 0;
    if (block)
        *block = realloc(to, n + 1);
    return MATCHED;
}

/* The text of a number as far as it can be one. */
struct real {
    char text[REAL_TEXT];
    int length;
    long left;
    int c;
};

static void accept(struct reader *r, struct real *n)
{
    /* Far more digits than any number needs: the rest is read over. */
    if (n->length < REAL_TEXT - 1)
        n->text[n->length++] = (char)n->c;
    n->left--;
    n->c = n->left ? next(r) : -1;
}

/* Accepts `word` or its beginning; says whether it was there whole. */
static int accept_word(struct reader *r, struct real *n, const char *word)
{
    for (; *word; word++) {
        if (tolower(n->c) != *word)
            return 0;
        accept(r, n);
    }
    return 1;
}

static int accept_digits(struct reader *r, struct real *n, int base)
{
    int any = 0;
    while (n->c >= 0 && digit_value(n->c) < base) {
        accept(r, n);
        any = 1;
    }
    return any;
}

/* As lenient as glibc: an exponent may lack its digits, "0x." is a zero. */
static int accept_number(struct reader *r, struct real *n)
{
    int base = 10;
    int any = 0;
    if (n->c == '0') {
        accept(r, n);
        any = 1;
        if (n->c == 'x' || n->c == 'X') {
            accept(r, n);
            base = 16;
            any = 0;
        }
    }
    any |= accept_digits(r, n, base);
    if (n->c == '.') {
        accept(r, n);
        if (!accept_digits(r, n, base) && !any)
            return base == 16;
        any = 1;
    }
    if (any && tolower(n->c) == (base == 16 ? 'p' : 'e')) {
        accept(r, n);
        if (n->c == '-' || n->c == '+')
            accept(r, n);
        accept_digits(r, n, 10);
    }
    return any;
}

static int accept_real(struct reader *r, struct real *n)
{
    if (n->c == '-' || n->c == '+')
        accept(r, n);
    if (tolower(n->c) == 'n')
        return accept_word(r, n, "nan");
    if (tolower(n->c) == 'i') {
        if (!accept_word(r, n, "inf"))
            return 0;
        return tolower(n->c) != 'i' || accept_word(r, n, "inity");
    }
    return accept_number(r, n);
}

static int scan_real(struct reader *r, struct item *item, struct __braid_args *args)
{
    struct real n;
    int complete;
    n.length = 0;
    n.left = item->width ? item->width : 0x7fffffff;
    n.c = skip_space(r);
    if (n.c < 0)
        return INPUT_ENDED;
    complete = accept_real(r, &n);
    give_back(r, n.c);
    n.text[n.length] = 0;
    if (!complete)
        return MISMATCH;
    if (item->suppressed)
        return MATCHED;
    if (item->size == LONG_LONG)
        *__builtin_va_arg(args->list, long double *) = __braid_parse_double(n.text, 0);
    else if (item->size == LONG)
        *__builtin_va_arg(args->list, double *) = __braid_parse_double(n.text, 0);
    else
        *__builtin_va_arg(args->list, float *) = __braid_parse_float(n.text, 0);
    return MATCHED;
}

static int scan_literal(struct reader *r, int wanted, int after_space)
{
    int c = after_space ? skip_space(r) : next(r);
    if (c == wanted)
        return MATCHED;
    give_back(r, c);
    return c < 0 ? INPUT_ENDED : MISMATCH;
}

static int scan_item(struct reader *r, struct item *item, struct __braid_args *args)
{
    switch (item->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'p':
        return scan_integer(r, item, args);
    case 'c':
    case 's':
    case '[':
        return scan_text(r, item, args);
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        return scan_real(r, item, args);
    case 'n':
        store_integer(item, args, (unsigned long long)r->count);
        return MATCHED;
    case '%':
        return scan_literal(r, '%', 1);
    default:
        return MISMATCH;
    }
}

static int scan(struct reader *r, const char *format, struct __braid_args *args)
{
    struct item item;
    int stored = 0;
    int end;
    while (*format) {
        if (isspace((unsigned char)*format)) {
            format++;
            give_back(r, skip_space(r));
            continue;
        }
        if (*format != '%')
            end = scan_literal(r, (unsigned char)*format++, 0);
        else {
            format = read_item(format + 1, &item);
            end = scan_item(r, &item, args);
            if (end == MATCHED && !item.suppressed && item.conversion != 'n' && item.conversion != '%')
                stored++;
        }
        if (end == INPUT_ENDED)
            return stored ? stored : -1;
        if (end == MISMATCH)
            return stored;
    }
    return stored;
}

int __braid_scan_stream(struct __braid_file *file, const char *format, struct __braid_args *args)
{
    struct reader r;
    int stored;
    r.file = file;
    r.text = 0;
    r.count = 0;
    /* A stream belongs to one thread at a time. */
    __braid_atomic_begin();
    stored = scan(&r, format, args);
    __braid_atomic_end();
    return stored;
}

int __braid_scan_text(const char *text, const char *format, struct __braid_args *args)
{
    struct reader r;
    r.file = 0;
    r.text = text;
    r.count = 0;
    return scan(&r, format, args);
}
