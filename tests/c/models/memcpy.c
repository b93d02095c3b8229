//@ model: memcpy memmove memset mempcpy __mempcpy memccpy bzero explicit_bzero bcopy swab
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

void *__mempcpy(void *, const void *, size_t);

struct point {
    int x;
    double y;
    const char *name;
};

int main(void)
{
    struct point a = {3, 0.5, "point"}, b;
    char text[20] = "abcdefghij";
    char copy[20];
    int numbers[5] = {1, 2, 3, 4, 5};
    memcpy(&b, &a, sizeof b);
    printf("%d %g %s\n", b.x, b.y, b.name);
    memmove(text + 2, text, 8);
    printf("%.10s\n", text);
    memmove(text, text + 2, 8);
    printf("%.10s\n", text);
    bcopy(text, text + 1, 3);
    printf("%.10s\n", text);
    memset(copy, '-', sizeof copy);
    *(char *)mempcpy(copy, "xyz", 3) = 0;
    printf("%s %c\n", copy, copy[4]);
    *(char *)__mempcpy(copy, "uv", 2) = 0;
    printf("%s\n", copy);
    char *after = memccpy(copy, "key=value", '=', 9);
    printf("%d %d\n", (int)(after - copy), memccpy(copy, "none", '=', 4) == NULL);
    bzero(numbers + 1, 2 * sizeof *numbers);
    explicit_bzero(numbers + 4, sizeof *numbers);
    printf("%d %d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
    swab("badc", copy, 4);
    printf("%.4s\n", copy);
    memset(numbers, 0xff, sizeof numbers);
    printf("%d\n", numbers[3]);
    memcpy(copy, text, 0);
    return 0;
}
