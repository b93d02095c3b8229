//@ model: strftime
//@ property: all verdict: safe
//@ run: gcc
#include <stdio.h>
#include <time.h>

int main(void)
{
    static const char *const formats[] = {"%a %A %b %B %h", "%c", "%C %d %D %e %F", "%g %G %V %u %w %U %W", "%H %I %j %k %l",
        "%m %M %n%t%% %p %P", "%r %R %S %T", "%x %X %y %Y", "%z %Z", "%5d|%_d|%-d|%^a|%010Y", "%q %", ""};
    time_t times[] = {0, 1234567890, 1704067199, 1704067200, 1735689599};
    char text[100];
    for (int i = 0; i < 5; i++)
        for (unsigned k = 0; k < sizeof formats / sizeof *formats; k++) {
            size_t n = strftime(text, sizeof text, formats[k], gmtime(&times[i]));
            printf("%zu %s\n", n, n ? text : "");
        }
    printf("%zu\n", strftime(text, 5, "%Y-%m", gmtime(&times[0])));
    return 0;
}
