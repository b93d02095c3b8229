//@ model: strtod strtof strtold
//@ property: all verdict: safe
//@ run: gcc
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const char *const texts[] = {"0", "-0", "1.5", " -2.75e2x", ".5", "5.", "1e400", "-1e400", "1e-400",
        "4.9e-324", "0x1.8p1", "inf", "-infinity", "9007199254740993", "0.1", "1.7976931348623159e308", "", "abc",
        "123456789012345678901234567890", "2.2250738585072011e-308", "1e", "0x"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        errno = 0;
        double d = strtod(texts[i], &end);
        printf("%s: %.17g %d %d", texts[i], d, (int)(end - texts[i]), errno);
        errno = 0;
        float f = strtof(texts[i], &end);
        printf(" %.9g %d\n", f, errno);
    }
    printf("%Lg\n", strtold("0.25", NULL));
    return 0;
}

//@ known: explicit deadlock unknown(cut)
