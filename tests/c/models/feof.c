//@ model: feof feof_unlocked ferror ferror_unlocked clearerr clearerr_unlocked fileno fileno_unlocked
//@ property: all verdict: safe
//@ run: gcc
//@ stdin: x
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    printf("%d %d %d\n", fileno(stdin), fileno(stdout), fileno_unlocked(stderr));
    printf("%d ", feof(stdin));
    printf("%d ", getchar());
    printf("%d ", feof(stdin));
    printf("%d ", getchar());
    printf("%d\n", feof(stdin) != 0);
    clearerr(stdin);
    printf("%d %d\n", feof_unlocked(stdin), ferror(stdin));
    clearerr_unlocked(stdin);
    printf("%d\n", ferror_unlocked(stdout));
    return 0;
}
