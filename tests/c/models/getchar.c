//@ model: getchar getchar_unlocked getc _IO_getc getc_unlocked fgetc fgetc_unlocked getw stdin
//@ property: all verdict: safe
//@ run: gcc
//@ stdin: abcdefgh1234xyz
#define _GNU_SOURCE
#include <stdio.h>

int _IO_getc(FILE *);

int main(void)
{
    int a = getchar(), b = getchar_unlocked(), c = getc(stdin), d = _IO_getc(stdin), e = getc_unlocked(stdin),
        f = fgetc(stdin), g = fgetc_unlocked(stdin);
    printf("%c%c%c%c%c%c%c\n", a, b, c, d, e, f, g);
    printf("%c ", getchar());
    printf("%x\n", (unsigned)getw(stdin));
    while ((a = getchar()) != EOF)
        printf("<%c>", a);
    printf("%d\n", a);
    printf("%d\n", getchar());
    return 0;
}
