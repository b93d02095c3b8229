//@ property: all verdict: safe
//@ run: gcc
// A union of pointers and integers keeps pointers usable.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

union any { void *p; int *ip; char *text; uintptr_t bits; int (*call)(int); long n; };

static int twice(int x) { return x * 2; }

int main(void) {
    int value = 5;
    union any a = {&value};
    *a.ip = 6;
    printf("%d %d\n", value, *(int *)a.p);
    a.bits += 0;
    printf("%d\n", *a.ip);
    a.call = twice;
    printf("%d\n", a.call(21));
    a.text = "text";
    printf("%s %c\n", a.text, a.text[1]);
    union any list[3] = {{.n = 7}, {.text = "seven"}, {.call = twice}};
    printf("%ld %s %d\n", list[0].n, list[1].text, list[2].call(7));
    a.p = malloc(4);
    *a.ip = 99;
    union any b = a;
    printf("%d %d\n", *b.ip, a.bits == b.bits);
    free(b.p);
    a.n = 0;
    printf("%d\n", a.p == NULL);
    return 0;
}
