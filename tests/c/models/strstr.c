//@ model: strstr strcasestr
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *text = "one two Two";
    printf("%s|%s|%d\n", strstr(text, "two"), strstr(text, "Two"), strstr(text, "three") == NULL);
    printf("%s|%s\n", strstr(text, ""), strcasestr(text, "TWO"));
    printf("%d %d\n", strstr("ab", "abc") == NULL, strcasestr("", "a") == NULL);
    printf("%s\n", strstr("aaab", "aab"));
    return 0;
}
