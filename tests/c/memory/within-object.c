//@ property: all verdict: safe
//@ run: gcc
// Bounds are those of the whole object: byte views, one-past pointers, members reached from the start.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct s { int a[3]; int b; };

int main(void) {
    struct s s = {{1, 2, 3}, 4};
    unsigned char *bytes = (unsigned char *)&s;
    int sum = 0;
    for (size_t i = 0; i < sizeof s; i++)
        sum += bytes[i];
    printf("%d\n", sum);
    int *end = s.a + 3;
    printf("%td\n", end - s.a);
    char *block = malloc(8);
    memset(block, 1, 8);
    char *past = block + 8;
    printf("%d\n", past[-8]);
    free(block);
    int a[4] = {1, 2, 3, 4}, *p = a + 4;
    while (p != a)
        printf("%d ", *--p);
    puts("");
    char text[4];
    memcpy(text, "four", 4);
    printf("%.4s %d\n", text, memcmp(text, "four", 4));
    void *empty = malloc(0);
    free(empty);
    return 0;
}
