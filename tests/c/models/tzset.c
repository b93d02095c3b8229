//@ property: all verdict: safe
//@ model: tzset tzname daylight timezone
#define _DEFAULT_SOURCE
#include <assert.h>
#include <string.h>
#include <time.h>

int main(void)
{
    time_t now = 0;
    tzset();
    assert(!strcmp(tzname[0], "UTC") && !strcmp(tzname[1], "UTC"));
    assert(timezone == 0 && daylight == 0);
    assert(!strcmp(localtime(&now)->tm_zone, tzname[0]));
    return 0;
}
