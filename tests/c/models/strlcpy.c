//@ model: strlcpy strlcat
//@ property: all verdict: safe
#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Not in every version of the library's header. */
size_t strlcpy(char *, const char *, size_t);
size_t strlcat(char *, const char *, size_t);

int main(void)
{
    char text[8];
    assert(strlcpy(text, "hello, world", sizeof text) == 12);
    assert(strcmp(text, "hello, ") == 0);
    assert(strlcpy(text, "abc", sizeof text) == 3);
    assert(strlcat(text, "def", sizeof text) == 6);
    assert(strlcat(text, "ghi", sizeof text) == 9);
    assert(strcmp(text, "abcdefg") == 0);
    return 0;
}
