//@ model: __memcpy_chk __mempcpy_chk __memmove_chk __memset_chk
//@ property: all verdict: safe
//@ run: gcc
#include <stdio.h>
#include <string.h>

void *__memcpy_chk(void *, const void *, size_t, size_t);
void *__mempcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);

int main(void)
{
    char text[10];
    __memset_chk(text, 'x', 9, sizeof text);
    text[9] = 0;
    __memcpy_chk(text, "abc", 3, sizeof text);
    char *end = __mempcpy_chk(text + 3, "de", 2, sizeof text - 3);
    __memmove_chk(text + 1, text, 3, sizeof text - 1);
    printf("%s %d\n", text, (int)(end - text));
    return 0;
}
