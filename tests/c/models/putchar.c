//@ model: putchar putchar_unlocked putc _IO_putc putc_unlocked fputc fputc_unlocked putw stdout stderr
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>

int _IO_putc(int, FILE *);

int main(void)
{
    int total = putchar('a') + putchar_unlocked('b') + putc('c', stdout) + _IO_putc('d', stdout) +
                putc_unlocked('e', stderr) + fputc('f', stderr) + fputc_unlocked('g', stdout);
    printf(" %d %d\n", total, putchar(0x141));
    printf("%d\n", putw(0x64636261, stdout));
    return 0;
}
