//@ model: localtime localtime_r mktime ctime ctime_r
//@ property: all verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <time.h>

int main(void)
{
    time_t time = 1000000000;
    struct tm t;
    char text[26];
    assert(localtime_r(&time, &t) == &t);
    assert(t.tm_sec == 40 && t.tm_year == 101);
    assert(mktime(&t) == time);
    assert(localtime(&time)->tm_sec == 40);
    assert(ctime_r(&time, text) == text);
    assert(strcmp(text, ctime(&time)) == 0);
    assert(strlen(text) == 25 && text[24] == '\n');
    return 0;
}
