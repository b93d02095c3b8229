//@ property: all verdict: safe
//@ run: gcc
// errno: set by failing functions, left alone by others, an assignable lvalue.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    errno = 0;
    long v = strtol("99999999999999999999", NULL, 10);
    printf("%d %d\n", v == LONG_MAX, errno == ERANGE);
    strtol("5", NULL, 10);
    printf("%d\n", errno == ERANGE);
    errno = 0;
    v = strtol("-99999999999999999999", NULL, 10);
    printf("%d %d\n", v == LONG_MIN, errno);
    int *p = &errno;
    *p = EINVAL;
    printf("%d %s\n", errno, strerror(errno));
    errno++;
    printf("%d %d %d %d\n", EPERM, ENOENT, ENOMEM, EAGAIN == EWOULDBLOCK);
    return 0;
}
