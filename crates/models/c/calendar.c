/* Calendar time, and its text in the C locale. Local time is UTC. */

int snprintf(char *text, size_t size, const char *format, ...);

struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

static const char *const weekdays[7] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
                                        "Saturday"};
static const char *const months[12] = {"January", "February", "March", "April", "May", "June", "July",
                                       "August", "September", "October", "November", "December"};

static long long floor_divide(long long a, long long b)
{
    return a / b - (a % b < 0);
}

static int is_leap(long long year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Days from 1970-01-01 to the first of January. */
static long long days_to_year(long long year)
{
    long long before = year - 1;
    return 365 * (year - 1970) + (floor_divide(before, 4) - 492) - (floor_divide(before, 100) - 19) +
           (floor_divide(before, 400) - 4);
}

static int days_to_month(int month, int leap)
{
    static const int days[13] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    return days[month] + (leap && month > 1);
}

/* Fills all fields; 0 if the year does not fit. */
static int break_down(long long time, struct tm *result, const char *zone)
{
    long long days = floor_divide(time, 86400);
    int second = (int)(time - days * 86400);
    /* A year of average length gets close, from above or below. */
    long long year = 1970 + floor_divide(days * 400, 146097);
    int month = 0;
    while (days_to_year(year) > days)
        year--;
    while (days_to_year(year + 1) <= days)
        year++;
    if (year - 1900 > 2147483647 || year - 1900 < -2147483647 - 1) {
        *__errno_location() = EOVERFLOW;
        return 0;
    }
    result->tm_year = (int)(year - 1900);
    result->tm_yday = (int)(days - days_to_year(year));
    while (days_to_month(month + 1, is_leap(year)) <= result->tm_yday)
        month++;
    result->tm_mon = month;
    result->tm_mday = result->tm_yday - days_to_month(month, is_leap(year)) + 1;
    /* The first day was a Thursday. */
    result->tm_wday = (int)(days + 4 - 7 * floor_divide(days + 4, 7));
    result->tm_hour = second / 3600;
    result->tm_min = second / 60 % 60;
    result->tm_sec = second % 60;
    result->tm_isdst = 0;
    result->tm_gmtoff = 0;
    result->tm_zone = zone;
    return 1;
}

/* Fields out of their ranges count on into the next. */
static long long seconds_of(const struct tm *t)
{
    long long month = t->tm_mon;
    long long year = 1900ll + t->tm_year + floor_divide(month, 12);
    int within = (int)(month - 12 * floor_divide(month, 12));
    long long days = days_to_year(year) + days_to_month(within, is_leap(year)) + t->tm_mday - 1;
    return ((days * 24 + t->tm_hour) * 60 + t->tm_min) * 60 + t->tm_sec;
}

static long from_fields(struct tm *t, const char *zone)
{
    long long time = seconds_of(t);
    if (time != (long)time || !break_down(time, t, zone)) {
        *__errno_location() = EOVERFLOW;
        return -1;
    }
    return (long)time;
}

/* The results of gmtime, localtime and asctime are memory that threads can race on. */
static struct tm tmbuf;
static char asctime_buffer[26];

char *tzname[2] = {"GMT", "GMT"};
int daylight = 0;
long timezone = 0;

/* In a section, as glibc's has a lock. */
void tzset(void)
{
    __braid_atomic_begin();
    tzname[0] = "UTC";
    tzname[1] = "UTC";
    daylight = 0;
    timezone = 0;
    __braid_atomic_end();
}

struct tm *gmtime_r(const long *time, struct tm *result)
{
    return break_down(*time, result, "GMT") ? result : 0;
}

struct tm *gmtime(const long *time)
{
    return gmtime_r(time, &tmbuf);
}

struct tm *localtime_r(const long *time, struct tm *result)
{
    return break_down(*time, result, "UTC") ? result : 0;
}

struct tm *localtime(const long *time)
{
    if (__braid_uses_zone())
        tzset();
    return localtime_r(time, &tmbuf);
}

long timegm(struct tm *t)
{
    return from_fields(t, "GMT");
}

long mktime(struct tm *t)
{
    if (__braid_uses_zone())
        tzset();
    return from_fields(t, "UTC");
}

char *asctime_r(const struct tm *t, char *text)
{
    const char *weekday = t->tm_wday < 0 || t->tm_wday > 6 ? "???" : weekdays[t->tm_wday];
    const char *month = t->tm_mon < 0 || t->tm_mon > 11 ? "???" : months[t->tm_mon];
    int length;
    if (t->tm_year > 2147483647 - 1900) {
        *__errno_location() = EOVERFLOW;
        return 0;
    }
    length = snprintf(text, 26, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", weekday, month, t->tm_mday, t->tm_hour,
                      t->tm_min, t->tm_sec, 1900 + t->tm_year);
    if (length >= 26) {
        *__errno_location() = EOVERFLOW;
        return 0;
    }
    return text;
}

char *asctime(const struct tm *t)
{
    return asctime_r(t, asctime_buffer);
}

char *ctime_r(const long *time, char *text)
{
    struct tm t;
    return localtime_r(time, &t) ? asctime_r(&t, text) : 0;
}

char *ctime(const long *time)
{
    struct tm *t = localtime(time);
    return t ? asctime(t) : 0;
}

/* Text under construction, at most `size` bytes with its end; in capitals while that is set. */
struct text {
    char *to;
    size_t size;
    size_t length;
    int capital;
};

/* How a conversion pads ('0', '_' for blanks, '-' for not at all, 0 for its own way), whether it is in
   capitals, its least width. */
struct style {
    int pad;
    int capital;
    int width;
};

static void put(struct text *out, char c)
{
    if (out->length < out->size)
        out->to[out->length] = (char)(out->capital ? toupper((unsigned char)c) : c);
    out->length++;
}

static void put_word(struct text *out, struct style *style, const char *word, int limit)
{
    int length = (int)strnlen(word, (size_t)limit);
    int i;
    for (i = length; i < style->width; i++)
        put(out, style->pad == '0' ? '0' : ' ');
    for (i = 0; i < length; i++)
        put(out, (char)(style->capital ? toupper((unsigned char)word[i]) : word[i]));
}

static void put_number(struct text *out, struct style *style, long long number, int digits, int pad)
{
    char text[24];
    int length = 0;
    int width;
    int negative = number < 0;
    unsigned long long rest = negative ? 0ull - (unsigned long long)number : (unsigned long long)number;
    if (style->pad)
        pad = style->pad;
    width = pad == '-' ? 1 : digits;
    if (width < style->width)
        width = style->width;
    do {
        text[length++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (pad != '0')
        for (; width > length + negative; width--)
            put(out, ' ');
    if (negative)
        put(out, '-');
    if (pad == '0')
        for (; width > length + negative; width--)
            put(out, '0');
    while (length)
        put(out, text[--length]);
}

/* Year and week by ISO 8601: weeks begin on Monday, the first has a Thursday. */
static int iso_week(const struct tm *t, long long *year)
{
    int monday_based = (t->tm_wday + 6) % 7;
    int week;
    *year = 1900ll + t->tm_year;
    week = (t->tm_yday - monday_based + 10) / 7;
    if (week < 1) {
        --*year;
        return (t->tm_yday + 365 + is_leap(*year) - monday_based + 10) / 7;
    }
    if (week == 53 && t->tm_yday - monday_based + 3 >= 365 + is_leap(*year)) {
        ++*year;
        return 1;
    }
    return week;
}

static const char *name_of(const char *const *names, int count, int index)
{
    return index < 0 || index >= count ? "?" : names[index];
}

static void format_time(struct text *out, const char *format, const struct tm *t);

/* A conversion made of others, padded as a whole. */
static void put_composed(struct text *out, struct style *style, const char *format, const struct tm *t)
{
    struct text measure = {0, 0, 0, 0};
    int capital = out->capital;
    int i;
    format_time(&measure, format, t);
    for (i = (int)measure.length; i < style->width; i++)
        put(out, style->pad == '0' ? '0' : ' ');
    out->capital |= style->capital;
    format_time(out, format, t);
    out->capital = capital;
}

static void put_offset(struct text *out, struct style *style, const struct tm *t)
{
    long minutes = (t->tm_gmtoff < 0 ? -t->tm_gmtoff : t->tm_gmtoff) / 60;
    put(out, t->tm_gmtoff < 0 ? '-' : '+');
    put_number(out, style, minutes / 60 * 100 + minutes % 60, 4, '0');
}

static void put_week(struct text *out, struct style *style, int conversion, const struct tm *t)
{
    long long year;
    int week = iso_week(t, &year);
    if (conversion == 'V')
        put_number(out, style, week, 2, '0');
    else if (conversion == 'G')
        put_number(out, style, year, 1, '0');
    else
        put_number(out, style, (year % 100 + 100) % 100, 2, '0');
}

/* Conversions to words and to other formats; 0 if it is none of them. */
static int convert_text(struct text *out, struct style *style, int conversion, const struct tm *t)
{
    struct style capital = *style;
    char digits[24];
    switch (conversion) {
    case 'a':
        put_word(out, style, name_of(weekdays, 7, t->tm_wday), 3);
        return 1;
    case 'A':
        put_word(out, style, name_of(weekdays, 7, t->tm_wday), 99);
        return 1;
    case 'b':
    case 'h':
        put_word(out, style, name_of(months, 12, t->tm_mon), 3);
        return 1;
    case 'B':
        put_word(out, style, name_of(months, 12, t->tm_mon), 99);
        return 1;
    case 'p':
        put_word(out, style, t->tm_hour > 11 ? "PM" : "AM", 2);
        return 1;
    case 'P':
        capital.capital = 0;
        put_word(out, &capital, t->tm_hour > 11 ? "pm" : "am", 2);
        return 1;
    case 'Z':
        put_word(out, style, t->tm_zone ? t->tm_zone : "", 99);
        return 1;
    case 's':
        snprintf(digits, sizeof digits, "%lld", seconds_of(t));
        put_word(out, style, digits, 99);
        return 1;
    case 'c':
        put_composed(out, style, "%a %b %e %H:%M:%S %Y", t);
        return 1;
    case 'D':
    case 'x':
        put_composed(out, style, "%m/%d/%y", t);
        return 1;
    case 'F':
        put_composed(out, style, "%Y-%m-%d", t);
        return 1;
    case 'r':
        put_composed(out, style, "%I:%M:%S %p", t);
        return 1;
    case 'R':
        put_composed(out, style, "%H:%M", t);
        return 1;
    case 'T':
    case 'X':
        put_composed(out, style, "%H:%M:%S", t);
        return 1;
    default:
        return 0;
    }
}

/* Conversions to numbers; 0 if it is none of them. */
static int convert_number(struct text *out, struct style *style, int conversion, const struct tm *t)
{
    long long year = 1900ll + t->tm_year;
    switch (conversion) {
    case 'C':
        put_number(out, style, floor_divide(year, 100), 2, '0');
        return 1;
    case 'd':
        put_number(out, style, t->tm_mday, 2, '0');
        return 1;
    case 'e':
        put_number(out, style, t->tm_mday, 2, '_');
        return 1;
    case 'g':
    case 'G':
    case 'V':
        put_week(out, style, conversion, t);
        return 1;
    case 'H':
        put_number(out, style, t->tm_hour, 2, '0');
        return 1;
    case 'I':
        put_number(out, style, t->tm_hour % 12 ? t->tm_hour % 12 : 12, 2, '0');
        return 1;
    case 'j':
        put_number(out, style, t->tm_yday + 1, 3, '0');
        return 1;
    case 'k':
        put_number(out, style, t->tm_hour, 2, '_');
        return 1;
    case 'l':
        put_number(out, style, t->tm_hour % 12 ? t->tm_hour % 12 : 12, 2, '_');
        return 1;
    case 'm':
        put_number(out, style, t->tm_mon + 1, 2, '0');
        return 1;
    case 'M':
        put_number(out, style, t->tm_min, 2, '0');
        return 1;
    case 'S':
        put_number(out, style, t->tm_sec, 2, '0');
        return 1;
    case 'u':
        put_number(out, style, (t->tm_wday + 6) % 7 + 1, 1, '0');
        return 1;
    case 'U':
        put_number(out, style, (t->tm_yday - t->tm_wday + 7) / 7, 2, '0');
        return 1;
    case 'w':
        put_number(out, style, t->tm_wday, 1, '0');
        return 1;
    case 'W':
        put_number(out, style, (t->tm_yday - (t->tm_wday + 6) % 7 + 7) / 7, 2, '0');
        return 1;
    case 'y':
        put_number(out, style, (year % 100 + 100) % 100, 2, '0');
        return 1;
    case 'Y':
        put_number(out, style, year, 1, '0');
        return 1;
    default:
        return 0;
    }
}

static const char *read_style(const char *p, struct style *style)
{
    style->pad = 0;
    style->capital = 0;
    style->width = 0;
    for (;; p++) {
        if (*p == '_' || *p == '-' || *p == '0')
            style->pad = *p;
        else if (*p == '^' || *p == '#')
            style->capital = 1;
        else
            break;
    }
    for (; *p >= '0' && *p <= '9'; p++)
        if (style->width < 1000000)
            style->width = style->width * 10 + (*p - '0');
    /* Alternative forms are the same in the C locale. */
    if (*p == 'E' || *p == 'O')
        p++;
    return p;
}

static void format_time(struct text *out, const char *format, const struct tm *t)
{
    for (; *format; format++) {
        const char *start = format;
        struct style style;
        if (*format != '%') {
            put(out, *format);
            continue;
        }
        format = read_style(format + 1, &style);
        if (*format == '%' || *format == 'n' || *format == 't')
            put_word(out, &style, *format == '%' ? "%" : *format == 'n' ? "\n" : "\t", 1);
        else if (*format == 'z')
            put_offset(out, &style, t);
        else if (!convert_text(out, &style, *format, t) && !convert_number(out, &style, *format, t)) {
            /* No conversion: it stands for itself. */
            if (!*format)
                format--;
            while (start <= format)
                put(out, *start++);
        }
    }
}

size_t strftime(char *text, size_t size, const char *format, const struct tm *t)
{
    struct text out;
    out.to = text;
    out.size = size;
    out.length = 0;
    out.capital = 0;
    format_time(&out, format, t);
    if (out.length >= size)
        return 0;
    text[out.length] = 0;
    return out.length;
}
