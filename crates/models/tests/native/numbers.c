/* Numbers from text. */
#include "native.h"

MODEL(strtod);
MODEL(strtof);
MODEL(strtol);
MODEL(strtoul);
MODEL(strtoll);
MODEL(strtoull);
MODEL(atoi);
MODEL(atof);

static void check_real(const char *text)
{
    char *a;
    char *b;
    double x, y;
    float f, g;
    model_errno = errno = 0;
    x = braid_strtod(text, &a);
    y = strtod(text, &b);
    if ((memcmp(&x, &y, sizeof x) && !(x != x && y != y)) || a != b || model_errno != errno)
        differ("strtod '%s': ours %a +%d errno %d, theirs %a +%d errno %d", text, x, (int)(a - text),
               model_errno, y, (int)(b - text), errno);
    model_errno = errno = 0;
    f = braid_strtof(text, &a);
    g = strtof(text, &b);
    if ((memcmp(&f, &g, sizeof f) && !(f != f && g != g)) || a != b || model_errno != errno)
        differ("strtof '%s': ours %a +%d errno %d, theirs %a +%d errno %d", text, f, (int)(a - text),
               model_errno, g, (int)(b - text), errno);
}

static void reals(void)
{
    static const char *const fixed[] = {"", " ", "+", "-", ".", "e5", ".e5", "0", "-0", "0x", "0x.", "0xp1",
        "0x1p", "0x1p+", "1e", "1e+", "1e-", "1.5e3x", " \t\n12.5", "inf", "-INFINITY", "infinit", "nan",
        "-nan", "NaN(123)", "nan(12", "nan()", "nan(x-y)", "1e400", "-1e400", "1e-400", "0e999999999999",
        "1e999999999999", "1e-999999999999", "0x1.8p1", "0X.8P+3", "0x1.fffffffffffff8p0",
        "0x1.fffffffffffff7p0", "0x1p-1074", "0x1p-1075", "0x1.8p-1075", "0x0.8p-1074", "0x1p1024",
        "0x1.fffffffffffff8p1023", "0x1.ffffffp0", "0x1.fffffeffffffp127", "2.2250738585072011e-308",
        "2.2250738585072012e-308", "2.2250738585072014e-308", "4.9406564584124654e-324", "2.4703282292062327e-324",
        "2.4703282292062328e-324", "1.7976931348623158e308", "1.7976931348623159e308", "9007199254740993",
        "9007199254740992.99999999999999999999999", "9007199254740993.0000000000000000000000000000001",
        "1.00000005960464477539062", "1.000000059604644775390625", "1.0000000596046447753906251", "00000.0001",
        "1.1754943508222875e-38", "7.006492321624085e-46", "7.1e-46", "3.4028235677973366e38", "3.4028235e38",
        "123456789012345678901234567890", "0.1e1", "1e1e1", "1..2", "0x1g", "1_000", "0x123456789abcdef123456789",
        "1e00000000000000000005", "179769313486231570814527423731704356798070e267"};
    char text[2000];
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        check_real(fixed[i]);
    for (int i = 0; i < 20000; i++) {
        double d = any_double();
        switch (any_below(5)) {
        case 0:
            snprintf(text, sizeof text, "%.*e", any_below(25), d);
            break;
        case 1:
            snprintf(text, sizeof text, "%a", d);
            break;
        case 2: {
            /* Exactly between two doubles, or a digit off. */
            unsigned long long bits = any();
            double next;
            memcpy(&d, &bits, sizeof d);
            d = fabs(d);
            next = nextafter(d, INFINITY);
            snprintf(text, sizeof text, "%.*Le", 600 + any_below(300), ((long double)d + next) / 2);
            if (any_below(2)) {
                char *e = strchr(text, 'e');
                if (e)
                    e[-1] = '1';
            }
            break;
        }
        case 3: {
            /* Between two floats. */
            float f = (float)d;
            snprintf(text, sizeof text, "%.*e", 150, ((double)f + nextafterf(f, INFINITY)) / 2);
            break;
        }
        default: {
            static const char alphabet[] = "0123456789012345678901234567890.e+-xp ";
            int n = any_below(12);
            for (int k = 0; k < n; k++)
                text[k] = alphabet[any_below(sizeof alphabet - 1)];
            text[n] = 0;
        }
        }
        check_real(text);
    }
}

#define CHECK_INTEGER(f, text, base) \
    do { \
        char *a = (char *)1; \
        char *b = (char *)1; \
        model_errno = errno = 0; \
        __typeof__(f(text, &b, base)) x = braid_##f(text, &a, base); \
        __typeof__(x) y = f(text, &b, base); \
        if (x != y || a != b || model_errno != errno) \
            differ(#f " '%s' base %d: ours %lld errno %d end %d, theirs %lld errno %d end %d", text, base, \
                   (long long)x, model_errno, (int)(a - text), (long long)y, errno, (int)(b - text)); \
    } while (0)

static void integers(void)
{
    static const char *const fixed[] = {"", " ", "-", "+", "0", "0x", "0x1", "-0x8000000000000000", "0xg", "08",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "-18446744073709551615", "-1", "99999999999999999999999",
        "zz", "Zz9", " \t12abc", "0b11", "--5", "+-5", "2147483648", "-2147483649", "0x7fffffffffffffff "};
    char text[32];
    for (size_t i = 0; i < 20000; i++) {
        static const char alphabet[] = "0123456789abcxzXZ+- ";
        int base = (int)any_below(40) - 1;
        if (i < 40 * (sizeof fixed / sizeof *fixed)) {
            strcpy(text, fixed[i / 40]);
            base = (int)(i % 40) - 1;
        } else {
            int n = any_below(24);
            for (int k = 0; k < n; k++)
                text[k] = alphabet[any_below(any_below(3) ? 10 : sizeof alphabet - 1)];
            text[n] = 0;
            if (any_below(2))
                base = 0;
        }
        CHECK_INTEGER(strtol, text, base);
        CHECK_INTEGER(strtoul, text, base);
        CHECK_INTEGER(strtoll, text, base);
        CHECK_INTEGER(strtoull, text, base);
        if (braid_atoi(text) != atoi(text))
            differ("atoi '%s': ours %d, theirs %d", text, braid_atoi(text), atoi(text));
    }
}

void compare_numbers(void)
{
    reals();
    integers();
}
