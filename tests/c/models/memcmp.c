//@ model: memcmp bcmp memchr rawmemchr memrchr memmem
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

int main(void)
{
    const char text[] = "abc\0abd\xff";
    volatile size_t n = 7;
    printf("%d %d %d %d\n", sign(memcmp(text, text + 4, 3)), sign(memcmp(text + 4, text, 3)),
           sign(memcmp(text, text + 4, 2)), sign(memcmp(text + 7, text, 1)));
    printf("%d %d\n", bcmp(text, text + 4, 2) != 0, bcmp(text, text + 4, 3) != 0);
    printf("%d %d %d\n", (int)((char *)memchr(text, 'b', n) - text), memchr(text, 'z', n) == NULL,
           (int)((char *)memchr(text, 0, n) - text));
    printf("%d %d\n", (int)((char *)rawmemchr(text, 'd') - text), (int)((char *)memrchr(text, 'b', n) - text));
    printf("%d %d\n", (int)((char *)memmem(text, n, "abd", 3) - text), memmem(text, n, "abx", 3) == NULL);
    return 0;
}
