//@ model: exit atexit on_exit __cxa_atexit
//@ property: all verdict: safe
//@ run: gcc
//@ exit: 3
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int __cxa_atexit(void (*)(void *), void *, void *);

static void first(void)
{
    puts("first, runs last");
}

static void late(void)
{
    puts("registered while exiting");
}

static void second(void)
{
    puts("second");
    atexit(late);
}

static void with_status(int status, void *text)
{
    printf("%s %d\n", (char *)text, status);
}

static void with_argument(void *text)
{
    puts(text);
}

static void count(void)
{
    static int n;
    if (++n % 10 == 0)
        printf("%d\n", n);
}

int main(void)
{
    printf("%d\n", atexit(first));
    atexit(second);
    on_exit(with_status, "status");
    __cxa_atexit(with_argument, "argument", NULL);
    for (int i = 0; i < 70; i++)
        atexit(count);
    exit(259);
}
