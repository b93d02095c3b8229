//@ model: strtol strtoll strtoq strtoimax strtoul strtoull strtouq strtoumax
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *text, int base)
{
    char *end;
    errno = 0;
    long a = strtol(text, &end, base);
    printf("%ld %d %d|", a, (int)(end - text), errno);
    errno = 0;
    unsigned long b = strtoul(text, &end, base);
    printf("%lu %d|", b, errno);
    errno = 0;
    printf("%lld ", strtoll(text, &end, base));
    printf("%llu ", strtoull(text, &end, base));
    printf("%d\n", errno);
}

int main(void)
{
    static const char *const texts[] = {"0", "12", "-12", " +12x", "0x1F", "077", "zz", "", "-", "0x",
        "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "-1"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        show(texts[i], 10);
        show(texts[i], 0);
        show(texts[i], 16);
        show(texts[i], 36);
    }
    errno = 0;
    long none = strtol("1", NULL, 99);
    printf("%ld %d\n", none, errno);
    printf("%lld %llu %jd %ju\n", strtoq("-5", NULL, 10), strtouq("5", NULL, 10), strtoimax("-6", NULL, 10),
           strtoumax("6", NULL, 10));
    return 0;
}

//@ known: explicit deadlock unknown(cut)
