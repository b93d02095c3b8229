//@ model: strerror_r __xpg_strerror_r
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

int __xpg_strerror_r(int, char *, size_t);

int main(void)
{
    char buffer[40];
    puts(strerror_r(2, buffer, sizeof buffer));
    puts(strerror_r(999, buffer, sizeof buffer));
    puts(strerror_r(999, buffer, 8));
    int result = __xpg_strerror_r(22, buffer, sizeof buffer);
    printf("%d %s\n", result, buffer);
    result = __xpg_strerror_r(22, buffer, 5);
    printf("%d %s\n", result, buffer);
    result = __xpg_strerror_r(999, buffer, sizeof buffer);
    printf("%d %s\n", result, buffer);
    return 0;
}
