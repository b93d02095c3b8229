//@ model: atoi atol atoll atof
//@ property: all verdict: safe
//@ run: gcc
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    printf("%d %d %d %d %d\n", atoi("42"), atoi("  -17abc"), atoi(""), atoi("+8"), atoi("0x10"));
    printf("%ld %lld\n", atol("-123456789"), atoll("9007199254740993"));
    printf("%g %g %g\n", atof("2.5"), atof("-1e-3x"), atof("none"));
    return 0;
}
