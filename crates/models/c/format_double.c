/* The floating-point conversions of the printf family: %f %e %g %a and their capitals. The value is
   expanded exactly and rounded once, half to even, at the digit the conversion asks for. */

static int is_capital(struct __braid_spec *spec)
{
    return spec->conversion >= 'A' && spec->conversion <= 'Z';
}

static int lower_conversion(struct __braid_spec *spec)
{
    return is_capital(spec) ? spec->conversion - 'A' + 'a' : spec->conversion;
}

static int sign_of(struct __braid_spec *spec, unsigned long long bits)
{
    if (bits >> 63)
        return '-';
    return spec->plus ? '+' : spec->space ? ' ' : 0;
}

/* What stands before the digits: blanks, sign, "0x", zeros; `length` is that of the digits. */
static void begin(struct __braid_sink *sink, struct __braid_spec *spec, int sign, int hex, long length)
{
    long fill = (long)spec->width - length - (sign != 0) - (hex ? 2 : 0);
    if (!spec->left && !spec->zero)
        __braid_emit_times(sink, ' ', fill);
    if (sign)
        __braid_emit(sink, sign);
    if (hex) {
        __braid_emit(sink, '0');
        __braid_emit(sink, is_capital(spec) ? 'X' : 'x');
    }
    if (!spec->left && spec->zero)
        __braid_emit_times(sink, '0', fill);
}

static void end(struct __braid_sink *sink, struct __braid_spec *spec, size_t start)
{
    if (spec->left)
        __braid_emit_times(sink, ' ', (long)spec->width - (long)(sink->length - start));
}

static void format_special(struct __braid_sink *sink, struct __braid_spec *spec, unsigned long long bits)
{
    const char *text = bits << 12 ? (is_capital(spec) ? "NAN" : "nan") : (is_capital(spec) ? "INF" : "inf");
    size_t start = sink->length;
    int i;
    spec->zero = 0;
    begin(sink, spec, sign_of(spec, bits), 0, 3);
    for (i = 0; i < 3; i++)
        __braid_emit(sink, text[i]);
    end(sink, spec, start);
}

/* How many characters "e+12" takes: at least `least` digits. */
static int exponent_length(int exponent, int least)
{
    int digits = 1;
    if (exponent < 0)
        exponent = -exponent;
    while (exponent >= 10) {
        exponent /= 10;
        digits++;
    }
    return 2 + (digits < least ? least : digits);
}

static void emit_exponent(struct __braid_sink *sink, int letter, int exponent, int least)
{
    int unit = 1;
    int rest = exponent < 0 ? -exponent : exponent;
    int i;
    for (i = exponent_length(exponent, least) - 2; i > 1; i--)
        unit *= 10;
    __braid_emit(sink, letter);
    __braid_emit(sink, exponent < 0 ? '-' : '+');
    for (; unit; unit /= 10)
        __braid_emit(sink, '0' + rest / unit % 10);
}

/* Digits from position `from` down to `to`, with the point after position `point`. */
static void emit_digits(struct __braid_sink *sink, struct __braid_decimal *d, int from, int to, int point,
                        int dot)
{
    int position;
    for (position = from; position >= to; position--) {
        __braid_emit(sink, '0' + __braid_decimal_digit(d, position));
        if (position == point && dot)
            __braid_emit(sink, '.');
    }
}

static void format_fixed(struct __braid_sink *sink, struct __braid_spec *spec, struct __braid_decimal *d,
                         int sign, int precision)
{
    int leading = __braid_decimal_leading(d);
    int dot = precision > 0 || spec->alternative;
    if (leading < 0)
        leading = 0;
    begin(sink, spec, sign, 0, (long)leading + 1 + dot + precision);
    emit_digits(sink, d, leading, -precision, 0, dot);
}

static void format_scientific(struct __braid_sink *sink, struct __braid_spec *spec,
                              struct __braid_decimal *d, int sign, int precision)
{
    int leading = __braid_decimal_leading(d);
    int dot = precision > 0 || spec->alternative;
    begin(sink, spec, sign, 0, 1 + dot + (long)precision + exponent_length(leading, 2));
    emit_digits(sink, d, leading, leading - precision, leading, dot);
    emit_exponent(sink, is_capital(spec) ? 'E' : 'e', leading, 2);
}

/* Digits below the smallest double are all zero: no rounding there (and no overflow of positions). */
static void round_at(struct __braid_decimal *d, int position)
{
    if (position > -1100)
        __braid_decimal_round(d, position);
}

static void format_general(struct __braid_sink *sink, struct __braid_spec *spec, struct __braid_decimal *d,
                           int sign, int precision)
{
    int leading;
    int last;
    if (!precision)
        precision = 1;
    round_at(d, __braid_decimal_leading(d) - precision + 1);
    leading = __braid_decimal_leading(d);
    last = leading - precision + 1;
    if (!spec->alternative) {
        if (last < -1100)
            last = -1100;
        while (last < leading && !__braid_decimal_digit(d, last))
            last++;
    }
    if (leading < -4 || leading >= precision)
        format_scientific(sink, spec, d, sign, leading - last);
    else
        format_fixed(sink, spec, d, sign, last < 0 ? -last : 0);
}

static void format_hex(struct __braid_sink *sink, struct __braid_spec *spec, unsigned long long bits)
{
    const char *digits = is_capital(spec) ? "0123456789ABCDEF" : "0123456789abcdef";
    int biased = (int)(bits >> 52 & 0x7ff);
    unsigned long long mantissa = (bits & 0xfffffffffffffull) | (biased ? 1ull << 52 : 0);
    int exponent = mantissa ? (biased ? biased - 1023 : -1022) : 0;
    int precision = spec->precision;
    int dot;
    int i;
    if (precision < 0)
        for (precision = 13; precision && !(mantissa >> (13 - precision) * 4 & 15); precision--)
            ;
    else if (precision < 13) {
        int cut = (13 - precision) * 4;
        unsigned long long rest = mantissa & ((1ull << cut) - 1);
        unsigned long long half = 1ull << (cut - 1);
        mantissa -= rest;
        if (rest > half || (rest == half && mantissa >> cut & 1))
            mantissa += 1ull << cut;
    }
    dot = precision > 0 || spec->alternative;
    begin(sink, spec, sign_of(spec, bits), 1, 1 + dot + (long)precision + exponent_length(exponent, 1));
    __braid_emit(sink, digits[mantissa >> 52]);
    if (dot)
        __braid_emit(sink, '.');
    for (i = 1; i <= precision; i++)
        __braid_emit(sink, i <= 13 ? digits[mantissa >> (13 - i) * 4 & 15] : '0');
    emit_exponent(sink, is_capital(spec) ? 'P' : 'p', exponent, 1);
}

void __braid_format_double(struct __braid_sink *sink, struct __braid_spec *spec, double value)
{
    unsigned long long bits = __braid_double_bits(value);
    int biased = (int)(bits >> 52 & 0x7ff);
    int precision = spec->precision < 0 ? 6 : spec->precision;
    size_t start = sink->length;
    struct __braid_decimal d;
    int sign = sign_of(spec, bits);
    if (biased == 0x7ff) {
        format_special(sink, spec, bits);
        return;
    }
    if (lower_conversion(spec) == 'a') {
        format_hex(sink, spec, bits);
        end(sink, spec, start);
        return;
    }
    if (biased)
        __braid_decimal_from(&d, (bits & 0xfffffffffffffull) | 1ull << 52, biased - 1075);
    else
        __braid_decimal_from(&d, bits & 0xfffffffffffffull, -1074);
    if (lower_conversion(spec) == 'f') {
        round_at(&d, -precision);
        format_fixed(sink, spec, &d, sign, precision);
    } else if (lower_conversion(spec) == 'e') {
        round_at(&d, __braid_decimal_leading(&d) - (precision < 2000 ? precision : 2000));
        format_scientific(sink, spec, &d, sign, precision);
    } else
        format_general(sink, spec, &d, sign, precision < 2000 || spec->alternative ? precision : 2000);
    end(sink, spec, start);
}
