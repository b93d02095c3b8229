/* The `__braid_*` operations on the system's library, and the frame of the comparison. */
#include "native.h"

const char *harness_input = "";
char harness_output[3][1 << 16];
size_t harness_length[3];

struct header {
    size_t size;
    char *start;
};

void *__braid_alloc(size_t size, size_t align, int zeroed)
{
    char *start = malloc(size + align + sizeof(struct header));
    char *block = (char *)(((unsigned long)start + sizeof(struct header) + align - 1) / align * align);
    struct header *h = (struct header *)block - 1;
    h->size = size;
    h->start = start;
    memset(block, zeroed ? 0 : 0xa5, size);
    return block;
}

_Bool __braid_alloc_fails(void)
{
    return 0;
}

unsigned long long __braid_forget(unsigned long long value)
{
    return value;
}

void __braid_free(void *block)
{
    if (block)
        free(((struct header *)block - 1)->start);
}

size_t __braid_object_size(const void *object)
{
    return object ? ((struct header *)object - 1)->size : 0;
}

void *__braid_copy(void *to, const void *from, size_t length)
{
    return memcpy(to, from, length);
}

void *__braid_move(void *to, const void *from, size_t length)
{
    return memmove(to, from, length);
}

void *__braid_fill(void *to, int byte, size_t length)
{
    return memset(to, byte, length);
}

void __braid_output(int stream, int byte)
{
    if (harness_length[stream] < sizeof harness_output[stream])
        harness_output[stream][harness_length[stream]++] = (char)byte;
}

int __braid_input(void)
{
    return *harness_input ? (unsigned char)*harness_input++ : -1;
}

void __braid_exit(int code)
{
    exit(code);
}

void __braid_abort(void)
{
    abort();
}

long __braid_clock_long(void)
{
    return (long)any();
}

int __braid_value_int(void)
{
    return (int)any();
}

#define UNARY(name) \
    double __braid_##name(double x) { return name(x); } \
    float __braid_##name##f(float x) { return name##f(x); } \
    long double __braid_##name##l(long double x) { return name##l(x); }
#define BINARY(name) \
    double __braid_##name(double x, double y) { return name(x, y); } \
    float __braid_##name##f(float x, float y) { return name##f(x, y); } \
    long double __braid_##name##l(long double x, long double y) { return name##l(x, y); }

UNARY(sqrt) UNARY(trunc) UNARY(round) UNARY(rint) UNARY(sin) UNARY(cos) UNARY(tan) UNARY(asin) UNARY(acos)
UNARY(sinh) UNARY(cosh) UNARY(acosh) UNARY(atanh) UNARY(exp) UNARY(exp2) UNARY(expm1) UNARY(log)
UNARY(log2) UNARY(log10) UNARY(log1p)
BINARY(copysign) BINARY(nextafter) BINARY(fmod) BINARY(remainder) BINARY(atan2) BINARY(pow) BINARY(hypot)

static int differences;

void differ(const char *format, ...)
{
    va_list list;
    if (differences++ >= 60)
        return;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n");
}

/* xorshift64*: the same numbers in every run. */
unsigned long long any(void)
{
    static unsigned long long x = 88172645463325252ull;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    return x * 2685821657736338717ull;
}

unsigned any_below(unsigned limit)
{
    return (unsigned)((any() >> 16) % limit);
}

double any_double(void)
{
    static const double special[] = {0.0, -0.0, 1, -1, 0.5, 1.5, 2.5, 0.1, 9.5, 99.5, 0.095, 1e22, 1e23,
        123456789, 4.9406564584124654e-324, 2.2250738585072014e-308, 1.7976931348623157e308, INFINITY,
        -INFINITY, 1e-5, 0.0001, 0.00009999995, 999999.5, 9.9999995, 1024, 1e15, 1e16, 1e17, 0.125, 0.375};
    union {
        unsigned long long bits;
        double value;
    } u;
    switch (any_below(8)) {
    case 0:
        return special[any_below(sizeof special / sizeof *special)];
    case 1:
        return (double)(long long)any();
    case 2:
        return (double)(int)any() / 1000;
    case 3:
        /* Ties at a few digits. */
        return (double)(int)any_below(100000) / (double)(1 << any_below(12));
    case 4:
        u.bits = any() & 0x800fffffffffffffull;
        return u.value;
    case 5:
        return NAN;
    case 6:
        return (double)any_below(10000) * pow(10, (int)any_below(40) - 20);
    default:
        u.bits = any();
        return u.value;
    }
}

/* The library's own sequence of random numbers is compared. */
extern int __braid_random_is_open;

int main(void)
{
    __braid_random_is_open = 0;
    compare_format();
    compare_numbers();
    compare_strings();
    compare_stdio();
    compare_scan();
    compare_math();
    compare_stdlib();
    setenv("TZ", "UTC", 1);
    compare_calendar();
    compare_inet();
    if (differences) {
        printf("%d differences\n", differences);
        return 1;
    }
    printf("no differences\n");
    return 0;
}
