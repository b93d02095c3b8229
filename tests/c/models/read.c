//@ model: read
//@ property: all verdict: safe
//@ run: gcc
//@ stdin: twelve bytes
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char text[20];
    int n = (int)read(0, text, 6);
    printf("%d %.*s\n", n, n, text);
    n = (int)read(0, text, 0);
    printf("%d\n", n);
    n = (int)read(77, text, 5);
    printf("%d %d\n", n, errno == EBADF);
    return 0;
}
