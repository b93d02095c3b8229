//@ model: gmtime gmtime_r timegm asctime asctime_r
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

int main(void)
{
    static const time_t times[] = {0, 1, -1, 86399, 951782400, 951868800, 1709164800, 2147483647, -2147483647};
    char text[26];
    for (unsigned i = 0; i < sizeof times / sizeof *times; i++) {
        struct tm t;
        gmtime_r(&times[i], &t);
        printf("%d-%d-%d %d:%d:%d %d %d %d ", t.tm_year, t.tm_mon, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, t.tm_wday,
               t.tm_yday, t.tm_isdst);
        printf("%d %s", timegm(&t) == times[i], asctime_r(&t, text));
    }
    struct tm later = {0};
    later.tm_year = 100;
    later.tm_mon = 13;
    later.tm_mday = -5;
    later.tm_hour = 50;
    printf("%ld ", (long)timegm(&later));
    printf("%s", asctime(&later));
    printf("%d\n", gmtime(&times[3])->tm_sec);
    return 0;
}
