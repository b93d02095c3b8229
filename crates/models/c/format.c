/* The printf family's engine: reads the format, fetches arguments, converts. Numbered arguments
   (%2$d) are fetched in a first pass over the format, because their types are only known from it.
   The C locale: no grouping, wide characters are bytes. */

enum { PLAIN, CHAR, SHORT, LONG, LONG_LONG, SIZE, LONG_DOUBLE };
enum { NONE, INT_ARGUMENT, LONG_ARGUMENT, LONG_LONG_ARGUMENT, POINTER_ARGUMENT, DOUBLE_ARGUMENT,
       LONG_DOUBLE_ARGUMENT };
enum { NUMBERED = 64, NOT_GIVEN = -1, NEXT = 0 };

union value {
    unsigned long long integer;
    double real;
    void *pointer;
};

struct source {
    struct __braid_args *args;
    int numbered;
    /* By number; apart, so that who picks one does not seem to pick the list. */
    union value *values;
};

void __braid_emit(struct __braid_sink *sink, int byte)
{
    if (sink->file)
        __braid_put(sink->file, byte);
    else if (sink->length < sink->room)
        sink->text[sink->length] = (char)byte;
    sink->length++;
}

void __braid_emit_times(struct __braid_sink *sink, int byte, long count)
{
    for (; count > 0; count--)
        __braid_emit(sink, byte);
}

static const char *read_number(const char *p, int *number)
{
    int n = 0;
    while (*p >= '0' && *p <= '9') {
        int digit = *p++ - '0';
        /* Too large for an int: 2147483647 stands for it, no output is that long. */
        n = n > (2147483647 - digit) / 10 ? 2147483647 : n * 10 + digit;
    }
    *number = n;
    return p;
}

/* `*` or `*3$`, else a number. */
static const char *read_amount(const char *p, int *number, int *argument)
{
    const char *after;
    if (*p != '*')
        return read_number(p, number);
    p++;
    *argument = NEXT;
    after = read_number(p, number);
    if (after > p && *after == '$') {
        *argument = *number;
        p = after + 1;
    }
    return p;
}

static const char *read_flags(const char *p, struct __braid_spec *spec)
{
    for (;; p++) {
        if (*p == '-')
            spec->left = 1;
        else if (*p == '+')
            spec->plus = 1;
        else if (*p == ' ')
            spec->space = 1;
        else if (*p == '#')
            spec->alternative = 1;
        else if (*p == '0')
            spec->zero = 1;
        else if (*p != '\'' && *p != 'I')
            return p;
    }
}

static const char *read_size(const char *p, struct __braid_spec *spec)
{
    switch (*p) {
    case 'h':
        spec->size = p[1] == 'h' ? CHAR : SHORT;
        return p + (p[1] == 'h' ? 2 : 1);
    case 'l':
        spec->size = p[1] == 'l' ? LONG_LONG : LONG;
        return p + (p[1] == 'l' ? 2 : 1);
    case 'q':
    case 'j':
        spec->size = LONG_LONG;
        return p + 1;
    case 'z':
    case 'Z':
    case 't':
        spec->size = SIZE;
        return p + 1;
    case 'L':
        spec->size = LONG_DOUBLE;
        return p + 1;
    default:
        return p;
    }
}

/* Reads what follows a '%'. */
static const char *read_spec(const char *p, struct __braid_spec *spec)
{
    const char *after;
    int number;
    __braid_fill(spec, 0, sizeof *spec);
    spec->width = NOT_GIVEN;
    spec->precision = NOT_GIVEN;
    spec->argument = NEXT;
    spec->width_argument = NOT_GIVEN;
    spec->precision_argument = NOT_GIVEN;
    after = read_number(p, &number);
    if (after > p && *after == '$') {
        spec->argument = number;
        p = after + 1;
    }
    p = read_flags(p, spec);
    if (*p == '*' || (*p >= '1' && *p <= '9'))
        p = read_amount(p, &spec->width, &spec->width_argument);
    if (*p == '.')
        p = read_amount(p + 1, &spec->precision, &spec->precision_argument);
    p = read_size(p, spec);
    spec->conversion = *p;
    return *p ? p + 1 : p;
}

static int argument_kind(struct __braid_spec *spec)
{
    switch (spec->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        if (spec->size == LONG || spec->size == SIZE)
            return LONG_ARGUMENT;
        return spec->size == LONG_LONG || spec->size == LONG_DOUBLE ? LONG_LONG_ARGUMENT : INT_ARGUMENT;
    case 'c':
    case 'C':
        return INT_ARGUMENT;
    case 's':
    case 'S':
    case 'p':
    case 'n':
        return POINTER_ARGUMENT;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        return spec->size == LONG_DOUBLE || spec->size == LONG_LONG ? LONG_DOUBLE_ARGUMENT : DOUBLE_ARGUMENT;
    default:
        return NONE;
    }
}

static union value fetch(struct __braid_args *args, int kind)
{
    union value v;
    v.integer = 0;
    switch (kind) {
    case INT_ARGUMENT:
        v.integer = (unsigned long long)__builtin_va_arg(args->list, int);
        break;
    case LONG_ARGUMENT:
        v.integer = (unsigned long long)__builtin_va_arg(args->list, long);
        break;
    case LONG_LONG_ARGUMENT:
        v.integer = __builtin_va_arg(args->list, unsigned long long);
        break;
    case POINTER_ARGUMENT:
        v.pointer = __builtin_va_arg(args->list, void *);
        break;
    case DOUBLE_ARGUMENT:
        v.real = __builtin_va_arg(args->list, double);
        break;
    case LONG_DOUBLE_ARGUMENT:
        v.real = (double)__builtin_va_arg(args->list, long double);
        break;
    }
    return v;
}

static void note_kind(int *kinds, int *highest, int argument, int kind)
{
    if (argument < 1 || argument > NUMBERED || kind == NONE)
        return;
    kinds[argument - 1] = kind;
    if (argument > *highest)
        *highest = argument;
}

/* Fetches the numbered arguments, if the format has any. */
static void fetch_numbered(struct source *source, const char *format)
{
    int kinds[NUMBERED];
    int highest = 0;
    struct __braid_spec spec;
    int i;
    source->numbered = 0;
    for (i = 0; i < NUMBERED; i++)
        kinds[i] = INT_ARGUMENT;
    while (*format) {
        if (*format++ != '%')
            continue;
        format = read_spec(format, &spec);
        note_kind(kinds, &highest, spec.width_argument, INT_ARGUMENT);
        note_kind(kinds, &highest, spec.precision_argument, INT_ARGUMENT);
        note_kind(kinds, &highest, spec.argument, argument_kind(&spec));
    }
    source->numbered = highest;
    for (i = 0; i < highest; i++)
        source->values[i] = fetch(source->args, kinds[i]);
}

static int has_numbered(const char *format)
{
    const char *p;
    for (p = format; *p; p++)
        if (*p == '$')
            return 1;
    return 0;
}

static union value take(struct source *source, int argument, int kind)
{
    if (argument >= 1 && argument <= source->numbered)
        return source->values[argument - 1];
    return fetch(source->args, kind);
}

/* Width and precision from arguments. */
static void resolve(struct source *source, struct __braid_spec *spec)
{
    if (spec->width_argument != NOT_GIVEN) {
        spec->width = (int)take(source, spec->width_argument, INT_ARGUMENT).integer;
        if (spec->width < 0) {
            spec->left = 1;
            /* A width of INT_MIN has no positive counterpart. */
            spec->width = spec->width == -2147483647 - 1 ? 2147483647 : -spec->width;
        }
    }
    if (spec->precision_argument != NOT_GIVEN) {
        spec->precision = (int)take(source, spec->precision_argument, INT_ARGUMENT).integer;
        if (spec->precision < 0)
            spec->precision = NOT_GIVEN;
    }
}

static void emit_text(struct __braid_sink *sink, struct __braid_spec *spec, const char *text, size_t length)
{
    long fill = spec->width < 0 || (size_t)spec->width <= length ? 0 : (long)(spec->width - length);
    size_t i;
    if (!spec->left)
        __braid_emit_times(sink, ' ', fill);
    for (i = 0; i < length; i++)
        __braid_emit(sink, text[i]);
    if (spec->left)
        __braid_emit_times(sink, ' ', fill);
}

/* A string of 4-byte characters; only ASCII can be converted in the C locale. */
static int format_wide(struct __braid_sink *sink, struct __braid_spec *spec, const int *text)
{
    size_t limit = spec->precision < 0 ? (size_t)-1 : (size_t)spec->precision;
    size_t length = 0;
    size_t i;
    long fill;
    while (length < limit && text[length]) {
        if (text[length] < 0 || text[length] > 127) {
            *__errno_location() = EILSEQ;
            return -1;
        }
        length++;
    }
    fill = spec->width < 0 || (size_t)spec->width <= length ? 0 : (long)(spec->width - length);
    if (!spec->left)
        __braid_emit_times(sink, ' ', fill);
    for (i = 0; i < length; i++)
        __braid_emit(sink, text[i]);
    if (spec->left)
        __braid_emit_times(sink, ' ', fill);
    return 0;
}

static int format_string(struct __braid_sink *sink, struct __braid_spec *spec, const char *text)
{
    if (!text)
        text = spec->precision < 0 || spec->precision >= 6 ? "(null)" : "";
    else if (spec->size == LONG || spec->conversion == 'S')
        return format_wide(sink, spec, (const int *)text);
    emit_text(sink, spec, text, spec->precision < 0 ? strlen(text) : strnlen(text, (size_t)spec->precision));
    return 0;
}

/* The digits of `value`, last one at the end of `buffer`; returns how many. */
static int digits_of(unsigned long long value, unsigned base, int capital, char *buffer_end)
{
    int count = 0;
    while (value) {
        int digit = (int)(value % base);
        *--buffer_end = (char)(digit < 10 ? '0' + digit : (capital ? 'A' : 'a') + digit - 10);
        value /= base;
        count++;
    }
    return count;
}

/* Sign or "0x" as a text of up to two characters, zeros up to the precision, digits. */
static void format_unsigned(struct __braid_sink *sink, struct __braid_spec *spec, const char *prefix,
                            unsigned base, unsigned long long value)
{
    char buffer[24];
    int count = digits_of(value, base, spec->conversion == 'X', buffer + 24);
    int prefix_length = 0;
    long zeros = (long)(spec->precision < 0 ? 1 : spec->precision) - count;
    long fill;
    int i;
    /* By hand: what reads strings for the user is counted (see below), whether there is text or not. */
    while (prefix[prefix_length])
        prefix_length++;
    if (zeros < 0)
        zeros = 0;
    if (base == 8 && spec->alternative && !zeros)
        zeros = 1;
    fill = (long)spec->width - prefix_length - zeros - count;
    if (fill < 0)
        fill = 0;
    if (spec->zero && !spec->left && spec->precision < 0) {
        zeros += fill;
        fill = 0;
    }
    if (!spec->left)
        __braid_emit_times(sink, ' ', fill);
    for (i = 0; i < prefix_length; i++)
        __braid_emit(sink, prefix[i]);
    __braid_emit_times(sink, '0', zeros);
    for (i = 0; i < count; i++)
        __braid_emit(sink, buffer[24 - count + i]);
    if (spec->left)
        __braid_emit_times(sink, ' ', fill);
}

static void format_signed(struct __braid_sink *sink, struct __braid_spec *spec, unsigned long long bits)
{
    long long value = (long long)bits;
    if (spec->size == CHAR)
        value = (signed char)bits;
    else if (spec->size == SHORT)
        value = (short)bits;
    else if (spec->size == PLAIN)
        value = (int)bits;
    if (value < 0)
        format_unsigned(sink, spec, "-", 10, 0ull - (unsigned long long)value);
    else
        format_unsigned(sink, spec, spec->plus ? "+" : spec->space ? " " : "", 10,
                        (unsigned long long)value);
}

static void format_integer(struct __braid_sink *sink, struct __braid_spec *spec, unsigned long long bits)
{
    const char *prefix = "";
    unsigned base = spec->conversion == 'u' ? 10 : spec->conversion == 'o' ? 8 : 16;
    if (spec->size == CHAR)
        bits = (unsigned char)bits;
    else if (spec->size == SHORT)
        bits = (unsigned short)bits;
    else if (spec->size == PLAIN)
        bits = (unsigned)bits;
    else if (spec->size == LONG || spec->size == SIZE)
        bits = (unsigned long)bits;
    if (base == 16 && spec->alternative && bits)
        prefix = spec->conversion == 'X' ? "0X" : "0x";
    format_unsigned(sink, spec, prefix, base, bits);
}

static void format_pointer(struct __braid_sink *sink, struct __braid_spec *spec, void *pointer)
{
    if (!pointer) {
        spec->precision = NOT_GIVEN;
        emit_text(sink, spec, "(nil)", 5);
        return;
    }
    spec->alternative = 1;
    spec->size = LONG;
    spec->conversion = 'x';
    format_unsigned(sink, spec, spec->plus ? "+0x" : spec->space ? " 0x" : "0x", 16, (unsigned long)pointer);
}

static void store_count(struct __braid_spec *spec, void *to, size_t count)
{
    switch (spec->size) {
    case CHAR:
        *(signed char *)to = (signed char)count;
        break;
    case SHORT:
        *(short *)to = (short)count;
        break;
    case LONG:
    case SIZE:
        *(long *)to = (long)count;
        break;
    case LONG_LONG:
    case LONG_DOUBLE:
        *(long long *)to = (long long)count;
        break;
    default:
        *(int *)to = (int)count;
    }
}

static int format_char(struct __braid_sink *sink, struct __braid_spec *spec, int c)
{
    char byte = (char)c;
    if ((spec->size == LONG || spec->conversion == 'C') && (c < 0 || c > 127)) {
        *__errno_location() = EILSEQ;
        return -1;
    }
    emit_text(sink, spec, &byte, 1);
    return 0;
}

/* One conversion; `text` is what stands between its '%' and `after`. */
static int convert(struct __braid_sink *sink, struct source *source, struct __braid_spec *spec,
                   const char *text, const char *after)
{
    union value v = take(source, spec->argument, argument_kind(spec));
    /* How an address or a thread's id is printed is nobody's business; how many characters that takes is. */
    unsigned long long integer = sink->file ? __braid_forget(v.integer) : v.integer;
    switch (spec->conversion) {
    case 'd':
    case 'i':
        format_signed(sink, spec, integer);
        sink->owed += v.integer * 0;
        return 0;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        format_integer(sink, spec, integer);
        sink->owed += v.integer * 0;
        return 0;
    case 'c':
    case 'C':
        return format_char(sink, spec, (int)v.integer);
    case 's':
    case 'S':
        return format_string(sink, spec, v.pointer);
    case 'p':
        format_pointer(sink, spec, sink->file ? (void *)(size_t)integer : v.pointer);
        sink->owed += v.integer * 0;
        return 0;
    case 'n':
        store_count(spec, v.pointer, sink->length + sink->owed);
        return 0;
    case 'm':
        return format_string(sink, spec, strerror(*__errno_location()));
    case '%':
        __braid_emit(sink, '%');
        return 0;
    case 0:
        /* The format ends within a specification. */
        *__errno_location() = EINVAL;
        return -1;
    default:
        if (argument_kind(spec) != NONE) {
            __braid_format_double(sink, spec, v.real);
            return 0;
        }
    }
    /* Not a conversion: it is printed as it stands. */
    __braid_emit(sink, '%');
    while (text < after)
        __braid_emit(sink, *text++);
    return 0;
}

int __braid_format(struct __braid_sink *sink, const char *format, struct __braid_args *args)
{
    struct source source;
    union value values[NUMBERED];
    struct __braid_spec spec;
    source.args = args;
    source.numbered = 0;
    source.values = values;
    if (has_numbered(format))
        fetch_numbered(&source, format);
    while (*format) {
        const char *text = format + 1;
        if (*format != '%') {
            __braid_emit(sink, *format++);
            continue;
        }
        format = read_spec(text, &spec);
        resolve(&source, &spec);
        if (spec.width == 2147483647 || spec.precision == 2147483647 || sink->length > 2147483647) {
            *__errno_location() = EOVERFLOW;
            return -1;
        }
        if (convert(sink, &source, &spec, text, format) < 0)
            return -1;
    }
    return (int)sink->length;
}

/* ---- when nobody reads the text, nor asks for its length ---- */

/* What is left of printing is to fetch arguments and to read strings: for formats without numbered arguments,
   amounts from arguments, wide characters, %n and %m. */
void __braid_format_nothing(const char *format, struct __braid_args *args)
{
    struct __braid_spec spec;
    while (*format) {
        union value v;
        if (*format++ != '%')
            continue;
        format = read_spec(format, &spec);
        v = fetch(args, argument_kind(&spec));
        if (spec.conversion != 's' || !v.pointer)
            continue;
        if (spec.precision < 0)
            strlen(v.pointer);
        else
            strnlen(v.pointer, (size_t)spec.precision);
    }
}
