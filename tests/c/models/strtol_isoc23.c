//@ model: __isoc23_strtol __isoc23_strtoll __isoc23_strtoimax __isoc23_strtoul __isoc23_strtoull __isoc23_strtoumax
//@ property: all verdict: safe
#include <assert.h>
#include <inttypes.h>
#include <stddef.h>

/* The names that newer headers use: base 0 and 2 allow "0b". */
long __isoc23_strtol(const char *, char **, int);
long long __isoc23_strtoll(const char *, char **, int);
intmax_t __isoc23_strtoimax(const char *, char **, int);
unsigned long __isoc23_strtoul(const char *, char **, int);
unsigned long long __isoc23_strtoull(const char *, char **, int);
uintmax_t __isoc23_strtoumax(const char *, char **, int);

int main(void)
{
    char *end;
    assert(__isoc23_strtol("0b101", &end, 0) == 5 && *end == 0);
    assert(__isoc23_strtoll("-0B11", NULL, 2) == -3);
    assert(__isoc23_strtoul("0b2", &end, 0) == 0 && *end == 'b');
    assert(__isoc23_strtoull("0x10", NULL, 0) == 16);
    assert(__isoc23_strtoimax("12", NULL, 10) == 12);
    assert(__isoc23_strtoumax("12", NULL, 8) == 10);
    return 0;
}
