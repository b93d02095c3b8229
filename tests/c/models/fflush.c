//@ model: fflush fflush_unlocked setvbuf setbuf setbuffer setlinebuf
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    static char buffer[BUFSIZ];
    printf("%d\n", setvbuf(stdout, NULL, _IOLBF, 100));
    setbuf(stderr, NULL);
    setlinebuf(stderr);
    setbuffer(stderr, buffer, sizeof buffer);
    fprintf(stderr, "error\n");
    printf("%d %d %d\n", fflush(stdout), fflush(NULL), fflush_unlocked(stderr));
    return 0;
}
