/* Floating point from text, correctly rounded. Decimal text becomes an exact decimal number, which is
   scaled by powers of two until its integer part holds just the bits of a mantissa; the rest decides
   the rounding. Hexadecimal text is cut to 64 bits and a sticky bit, and rounded the same way. */

/* A floating-point format: bits of its mantissa, exponent of its least and its greatest unit. */
struct format {
    int mantissa;
    int least;
    int greatest;
};

static const struct format double_format = {53, -1074, 971};
static const struct format float_format = {24, -149, 104};

/* Keeps digits up to here exact: a double that lies half way between two has fewer. */
enum { SIGNIFICANT = 800, RADIX = 40 };

static int bit_length(unsigned long long n)
{
    return n ? 64 - __builtin_clzll(n) : 0;
}

/* mantissa * 2^exponent as a double; fits exactly. */
static double assemble(unsigned long long mantissa, int exponent)
{
    int length = bit_length(mantissa);
    if (!mantissa)
        return 0;
    mantissa <<= 53 - length;
    exponent -= 53 - length;
    if (exponent >= -1074)
        return __braid_double_from_bits((unsigned long long)(exponent + 1075) << 52 |
                                        (mantissa & 0xfffffffffffffull));
    return __braid_double_from_bits(mantissa >> (-1074 - exponent));
}

/* What lies beyond the last unit of a mantissa. */
enum { NOTHING, BELOW_HALF, HALF, ABOVE_HALF, THREE_QUARTERS_OR_MORE };

/* Rounds mantissa * 2^exponent plus a rest. The mantissa has the format's bits, or the exponent is its
   least. */
static double finish(const struct format *f, unsigned long long mantissa, int exponent, int rest)
{
    unsigned long long normal = 1ull << (f->mantissa - 1);
    int tiny = mantissa < normal;
    /* "Underflow" is judged as if the mantissa had all its bits: this one would round to a normal. */
    if (mantissa == normal - 1 && rest == THREE_QUARTERS_OR_MORE)
        tiny = 0;
    if (rest > HALF || (rest == HALF && mantissa & 1))
        mantissa++;
    if (mantissa >> f->mantissa) {
        mantissa >>= 1;
        exponent++;
    }
    if (exponent > f->greatest) {
        *__errno_location() = ERANGE;
        return __braid_double_from_bits(0x7ffull << 52);
    }
    if (tiny && rest != NOTHING)
        *__errno_location() = ERANGE;
    return assemble(mantissa, exponent);
}

/* The integer part, if it has at most two words. */
static unsigned long long integer_part(struct __braid_decimal *d)
{
    unsigned long long n = 0;
    int i;
    for (i = d->first; i < RADIX; i++)
        n = n * 1000000000 + d->word[i];
    return n;
}

static int rest_of(struct __braid_decimal *d)
{
    int i;
    int more = d->sticky;
    unsigned head = d->last > RADIX ? d->word[RADIX] : 0;
    for (i = RADIX + 1; i < d->last; i++)
        if (d->word[i])
            more = 1;
    if (!head && !more)
        return NOTHING;
    if (head >= 750000000)
        return THREE_QUARTERS_OR_MORE;
    if (head < 500000000)
        return BELOW_HALF;
    return head > 500000000 || more ? ABOVE_HALF : HALF;
}

/* Scales until the integer part has the format's bits or its least unit is reached. */
static double decimal_to_double(const struct format *f, struct __braid_decimal *d)
{
    int exponent = 0;
    for (;;) {
        int shift;
        int words = RADIX - d->first;
        if (words > 2)
            shift = 29;
        else
            shift = bit_length(integer_part(d)) - f->mantissa;
        if (shift < -29)
            shift = -29;
        if (exponent + shift < f->least)
            shift = f->least - exponent;
        if (!shift)
            break;
        __braid_decimal_scale(d, -shift);
        exponent += shift;
    }
    return finish(f, integer_part(d), exponent, rest_of(d));
}

/* Reads "e-12" if digits follow; the value saturates far beyond all formats. */
static const char *read_exponent(const char *p, int letter, long *exponent)
{
    const char *q = p + 1;
    int negative = 0;
    long n = 0;
    *exponent = 0;
    if (tolower((unsigned char)*p) != letter)
        return p;
    if (*q == '-' || *q == '+')
        negative = *q++ == '-';
    if (*q < '0' || *q > '9')
        return p;
    for (; *q >= '0' && *q <= '9'; q++)
        if (n < 100000000)
            n = n * 10 + (*q - '0');
    *exponent = negative ? -n : n;
    return q;
}

/* Finds the end of "12.34" and the place of its point (its end if there is none); 0 without digits. */
static const char *scan_digits(const char *p, int hex, const char **point)
{
    const char *start = p;
    int digits = 0;
    *point = 0;
    for (;; p++) {
        int c = tolower((unsigned char)*p);
        if ((c >= '0' && c <= '9') || (hex && c >= 'a' && c <= 'f'))
            digits = 1;
        else if (c == '.' && !*point)
            *point = p;
        else
            break;
    }
    if (!digits)
        return start;
    if (!*point)
        *point = p;
    return p;
}

static double out_of_range(int large)
{
    *__errno_location() = ERANGE;
    return large ? __braid_double_from_bits(0x7ffull << 52) : 0;
}

static double read_decimal(const struct format *f, const char *text, const char **end)
{
    const char *point;
    const char *stop = scan_digits(text, 0, &point);
    const char *p = text;
    struct __braid_decimal d;
    long exponent;
    long position;
    int kept = 0;
    *end = read_exponent(stop, 'e', &exponent);
    while (p < stop && (*p == '0' || *p == '.'))
        p++;
    if (p == stop)
        return 0;
    /* Decimal position of the first digit that counts. */
    position = (p < point ? point - p - 1 : point - p) + exponent;
    if (position > 310)
        return out_of_range(1);
    if (position < -350)
        return out_of_range(0);
    __braid_decimal_clear(&d);
    for (; p < stop; p++) {
        if (*p == '.')
            continue;
        if (kept < SIGNIFICANT)
            __braid_decimal_set_digit(&d, (int)position, *p - '0');
        else if (*p != '0')
            d.sticky = 1;
        kept++;
        position--;
    }
    return decimal_to_double(f, &d);
}

static int hex_digit(char c)
{
    return c <= '9' ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* Cuts the mantissa to what the format can hold and rounds. */
static double round_binary(const struct format *f, unsigned long long mantissa, long exponent, int sticky)
{
    unsigned long long half;
    unsigned long long rest;
    int excess = bit_length(mantissa) - f->mantissa;
    if (exponent > 5000)
        return out_of_range(1);
    if (exponent < -5000)
        return out_of_range(0);
    if (exponent + excess < f->least)
        excess = f->least - (int)exponent;
    if (excess > 64)
        return out_of_range(0);
    if (excess <= 0)
        return finish(f, mantissa << -excess, (int)exponent + excess, NOTHING);
    half = 1ull << (excess - 1);
    rest = mantissa & (half | (half - 1));
    mantissa = excess < 64 ? mantissa >> excess : 0;
    if (!rest && !sticky)
        return finish(f, mantissa, (int)exponent + excess, NOTHING);
    if (rest < half)
        return finish(f, mantissa, (int)exponent + excess, BELOW_HALF);
    if (rest - half >= half - half / 2 && half > 1)
        return finish(f, mantissa, (int)exponent + excess, THREE_QUARTERS_OR_MORE);
    return finish(f, mantissa, (int)exponent + excess, rest > half || sticky ? ABOVE_HALF : HALF);
}

static double read_hex(const struct format *f, const char *text, const char **end)
{
    const char *point;
    const char *stop = scan_digits(text, 1, &point);
    const char *p;
    unsigned long long mantissa = 0;
    int sticky = 0;
    long exponent;
    *end = read_exponent(stop, 'p', &exponent);
    for (p = text; p < stop; p++) {
        if (*p == '.')
            continue;
        /* A digit that does not fit any more only counts by its place. */
        if (mantissa >> 60) {
            sticky |= *p != '0';
            exponent += p < point ? 4 : 0;
        } else {
            mantissa = mantissa << 4 | (unsigned)hex_digit(*p);
            exponent -= p > point ? 4 : 0;
        }
    }
    return mantissa ? round_binary(f, mantissa, exponent, sticky) : 0;
}

static int has_word(const char *p, const char *word)
{
    for (; *word; p++, word++)
        if (tolower((unsigned char)*p) != *word)
            return 0;
    return 1;
}

/* "nan" and what may follow it in parentheses. */
static const char *skip_nan(const char *p)
{
    const char *q;
    if (p[3] != '(')
        return p + 3;
    for (q = p + 4;; q++) {
        int c = tolower((unsigned char)*q);
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_'))
            break;
    }
    return *q == ')' ? q + 1 : p + 3;
}

static double read_real(const struct format *f, const char *text, char **end)
{
    const char *p = text;
    const char *after = text;
    const char *point;
    int negative = 0;
    double value = 0;
    while (isspace((unsigned char)*p))
        p++;
    if (*p == '-' || *p == '+')
        negative = *p++ == '-';
    if (has_word(p, "infinity") || has_word(p, "inf")) {
        after = p + (has_word(p, "infinity") ? 8 : 3);
        value = __braid_double_from_bits(0x7ffull << 52);
    } else if (has_word(p, "nan")) {
        after = skip_nan(p);
        value = __braid_double_from_bits(0x7ff8ull << 48);
    } else if (p[0] == '0' && tolower((unsigned char)p[1]) == 'x' && scan_digits(p + 2, 1, &point) > p + 2)
        value = read_hex(f, p + 2, &after);
    else if (scan_digits(p, 0, &point) > p)
        value = read_decimal(f, p, &after);
    if (end)
        *end = (char *)after;
    return negative && after > text ? -value : value;
}

double __braid_parse_double(const char *text, char **end)
{
    return read_real(&double_format, text, end);
}

float __braid_parse_float(const char *text, char **end)
{
    return (float)read_real(&float_format, text, end);
}

double strtod(const char *text, char **end)
{
    return __braid_parse_double(text, end);
}

float strtof(const char *text, char **end)
{
    return __braid_parse_float(text, end);
}

long double strtold(const char *text, char **end)
{
    return __braid_parse_double(text, end);
}

double atof(const char *text)
{
    return __braid_parse_double(text, 0);
}
