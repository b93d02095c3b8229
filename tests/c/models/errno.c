//@ model: __errno_location strerror perror
//@ property: all verdict: safe
//@ run: gcc
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    printf("%d\n", errno);
    errno = ENOENT;
    perror("open");
    errno = EINVAL;
    perror(NULL);
    perror("");
    for (int i = 0; i < 135; i++)
        puts(strerror(i));
    printf("%s\n", strerror(-1));
    errno = 5;
    int *where = &errno;
    printf("%d %d\n", *where, errno);
    return 0;
}
