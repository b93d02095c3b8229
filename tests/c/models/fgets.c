//@ model: fgets fgets_unlocked fread fread_unlocked
//@ property: all verdict: safe
//@ run: gcc
//@ stdin: first\nsecond line\nthird\n0123456789
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    char text[8];
    while (fgets(text, sizeof text, stdin) && text[0] != 't')
        printf("[%s]", text);
    int items[2];
    printf("%zu\n", fread(items, sizeof items[0], 2, stdin));
    printf("%x %x\n", (unsigned)items[0], (unsigned)items[1]);
    printf("%zu ", fread_unlocked(text, 1, 1, stdin));
    printf("%zu\n", fread(text, 1, 5, stdin));
    printf("%d ", fgets_unlocked(text, sizeof text, stdin) == NULL);
    printf("%c\n", text[0]);
    return 0;
}
