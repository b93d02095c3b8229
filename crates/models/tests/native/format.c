/* The printf family: random specifications and values. */
#include "native.h"

MODEL(snprintf);
MODEL(sprintf);
MODEL(vsnprintf);
MODEL(asprintf);

static char ours[8192];
static char theirs[8192];
static char format[128];

/* glibc drops the zeros that `#` asks of %g if rounding carries into a further digit (1.e+06). */
static int is_carry_fault(void)
{
    return strchr(format, '#') && strpbrk(format, "gG") && (strstr(theirs, "1.e+") || strstr(theirs, "1.E+"));
}

static void check(int a, int b, const char *what)
{
    if (is_carry_fault())
        return;
    if (a != b || strcmp(ours, theirs))
        differ("snprintf %s '%s': ours %d '%s', theirs %d '%s'", what, format, a, ours, b, theirs);
}

/* %, flags, width, precision; `stars` says how many `*` there are. */
static int random_spec(const char *sizes, const char *conversions, int *stars)
{
    static const char *const all_sizes[] = {"", "hh", "h", "l", "ll", "j", "z", "t", "L", "q"};
    char *p = format;
    int size = sizes ? sizes[any_below((unsigned)strlen(sizes))] - '0' : 0;
    *stars = 0;
    p += sprintf(p, "<%%");
    for (int i = any_below(4); i > 0; i--)
        *p++ = "-+ #0'"[any_below(6)];
    if (any_below(3) == 0)
        p += sprintf(p, "%d", 1 + any_below(30));
    else if (any_below(5) == 0) {
        *p++ = '*';
        ++*stars;
    }
    if (any_below(2) == 0) {
        *p++ = '.';
        if (any_below(6) == 0) {
            *p++ = '*';
            ++*stars;
        } else if (any_below(6))
            p += sprintf(p, "%d", any_below(any_below(20) ? 25 : 400));
    }
    p += sprintf(p, "%s", all_sizes[size]);
    *p++ = conversions[any_below((unsigned)strlen(conversions))];
    strcpy(p, ">");
    return size;
}

#define BOTH(expression, what) \
    do { \
        __typeof__(expression) value = (expression); \
        int s = (int)any_below(40) - 12, t = (int)any_below(30) - 6; \
        size_t room = any_below(4) ? sizeof ours : any_below(40) + 1; \
        int a, b; \
        if (stars == 0) { \
            a = braid_snprintf(ours, room, format, value); \
            b = snprintf(theirs, room, format, value); \
        } else if (stars == 1) { \
            a = braid_snprintf(ours, room, format, s, value); \
            b = snprintf(theirs, room, format, s, value); \
        } else { \
            a = braid_snprintf(ours, room, format, s, t, value); \
            b = snprintf(theirs, room, format, s, t, value); \
        } \
        check(a, b, what); \
    } while (0)

static void integers(void)
{
    for (int i = 0; i < 40000; i++) {
        int stars;
        int size = random_spec("0123456789", "diuoxX", &stars);
        unsigned long long v = any() >> any_below(64);
        if (any_below(3) == 0)
            v = any_below(3) - 1ull;
        if (size == 0 || size == 1 || size == 2)
            BOTH((int)v, "int");
        else if (size == 4 || size == 8 || size == 9 || size == 5)
            BOTH((long long)v, "long long");
        else
            BOTH((long)v, "long");
    }
}

static void reals(void)
{
    for (int i = 0; i < 60000; i++) {
        int stars;
        double v = any_double();
        random_spec(0, "fFeEgGaA", &stars);
        BOTH(v, "double");
    }
    for (int i = 0; i < 4000; i++) {
        int stars;
        double v = any_double();
        random_spec("8", "fFeEgG", &stars);
        BOTH((long double)v, "long double");
    }
}

static void texts(void)
{
    static const char *const words[] = {"", "a", "hello", "hello, world", 0};
    static const wchar_t *const wide[] = {L"", L"w", L"wide text"};
    for (int i = 0; i < 5000; i++) {
        int stars;
        random_spec("0", "s", &stars);
        BOTH(words[any_below(5)], "string");
        random_spec("0", "c", &stars);
        BOTH((int)any_below(255) + 1, "char");
        random_spec("0", "p", &stars);
        BOTH((void *)(any_below(3) ? any() : 0), "pointer");
        random_spec("3", "s", &stars);
        BOTH(wide[any_below(3)], "wide");
        random_spec("3", "c", &stars);
        BOTH((wint_t)(any_below(127) + 1), "wide char");
    }
}

#define SAME(...) \
    do { \
        int a, b; \
        strcpy(format, #__VA_ARGS__); \
        a = braid_snprintf(ours, sizeof ours, __VA_ARGS__); \
        b = snprintf(theirs, sizeof theirs, __VA_ARGS__); \
        check(a, b, "fixed"); \
    } while (0)

static void fixed(void)
{
    int n = 0;
    int m = 0;
    SAME("%%");
    SAME("abc%");
    SAME("%y %d", 3);
    SAME("%5%|");
    SAME("%2$d %1$s", "x", 5);
    SAME("%1$*2$.*3$f|%1$e", 3.25, 12, 2);
    SAME("%3$lld %2$hhd %1$c %1$d", 'q', 300, 1ll << 40);
    SAME("%.*f", -1, 2.5);
    SAME("%-*d|", -7, 3);
    SAME("%*d|", -7, 3);
    SAME("%.0f %.0f %.0f %.0f", 0.5, 1.5, 2.5, 3.5);
    SAME("%.700f", 4.9406564584124654e-324);
    SAME("%.1100f", 4.9406564584124654e-324);
    SAME("%.3000g", 0.1);
    SAME("%#.3000g", 0.1);
    SAME("%.2500e", 1e300);
    SAME("%f", 1.7976931348623157e308);
    SAME("%C%S", L'a', L"bc");
    SAME("%ls", L"a\u00e9");
    SAME("%lc", (wint_t)300);
    errno = model_errno = ENOENT;
    SAME("%m|%10.3m");
    braid_sprintf(ours, "ab%ncd%hhn", &n, &m);
    if (n != 2 || m != 4)
        differ("%%n stores %d %d", n, m);
    char *made;
    n = braid_asprintf(&made, "%s-%d-%g", "abc", 42, 0.1);
    if (n != 10 || strcmp(made, "abc-42-0.1"))
        differ("asprintf %d %s", n, made);
}

void compare_format(void)
{
    fixed();
    integers();
    reals();
    texts();
}
