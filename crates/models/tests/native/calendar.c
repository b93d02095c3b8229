/* Calendar time: random times and formats, in UTC. */
#include "native.h"

MODEL(gmtime_r); MODEL(localtime_r); MODEL(timegm); MODEL(mktime); MODEL(asctime_r); MODEL(ctime_r); MODEL(strftime);

static int same(const struct tm *a, const struct tm *b)
{
    return a->tm_sec == b->tm_sec && a->tm_min == b->tm_min && a->tm_hour == b->tm_hour && a->tm_mday == b->tm_mday &&
           a->tm_mon == b->tm_mon && a->tm_year == b->tm_year && a->tm_wday == b->tm_wday && a->tm_yday == b->tm_yday &&
           a->tm_isdst == b->tm_isdst && a->tm_gmtoff == b->tm_gmtoff && !strcmp(a->tm_zone, b->tm_zone);
}

static void formats(const struct tm *t)
{
    for (int i = 0; i < 4; i++) {
        char format[32] = "<";
        char ours[200] = "#", theirs[200] = "#";
        char *p = format + 1;
        size_t room = any_below(4) ? sizeof ours : any_below(20);
        for (int k = any_below(3); k >= 0; k--) {
            *p++ = '%';
            if (any_below(4) == 0)
                *p++ = "_-0^"[any_below(4)];
            if (any_below(6) == 0)
                p += sprintf(p, "%d", any_below(12) + 1);
            /* glibc pads %z twice if a width is given. */
            *p++ = "zaAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYZ%"[any_below(41)];
            if (p[-1] == 'z' && p[-2] != '%')
                p[-1] = 'Z';
        }
        strcpy(p, ">");
        size_t x = braid_strftime(ours, room, format, t);
        size_t y = strftime(theirs, room, format, t);
        if (x != y || (x && strcmp(ours, theirs)))
            differ("strftime '%s' year %d: ours %zu '%s', theirs %zu '%s'", format, t->tm_year + 1900, x, ours, y, theirs);
    }
}

void compare_calendar(void)
{
    for (int i = 0; i < 10000; i++) {
        time_t time = (time_t)(any() >> (any_below(3) ? 31 : any_below(60))) - (any_below(3) ? 0 : 1ll << 33);
        struct tm a, b, c, d;
        char x[64] = "", y[64] = "";
        char *p = (char *)braid_gmtime_r(&time, &a), *q = (char *)gmtime_r(&time, &b);
        if (!p != !q || (p && !same(&a, &b)))
            differ("gmtime of %ld", (long)time);
        if (!p)
            continue;
        if (braid_timegm(&a) != time)
            differ("timegm of %ld", (long)time);
        braid_localtime_r(&time, &a);
        localtime_r(&time, &b);
        if (!same(&a, &b))
            differ("localtime of %ld", (long)time);
        p = braid_asctime_r(&a, x);
        q = a.tm_year < 8000 && a.tm_year > -2000 ? asctime_r(&b, y) : p;
        if (!p != !q || (p && q != p && strcmp(x, y)))
            differ("asctime: ours '%s', theirs '%s'", x, y);
        if (a.tm_year < 8000 && a.tm_year > -900)
            formats(&a);
        /* Fields out of range. */
        c.tm_sec = (int)any_below(200000) - 100000;
        c.tm_min = (int)any_below(2000) - 1000;
        c.tm_hour = (int)any_below(200) - 100;
        c.tm_mday = (int)any_below(800) - 400;
        c.tm_mon = (int)any_below(100) - 50;
        c.tm_year = (int)any_below(400);
        c.tm_isdst = 0;
        d = c;
        if (braid_mktime(&c) != mktime(&d) || !same(&c, &d))
            differ("mktime");
    }
}
