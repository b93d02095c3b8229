//@ property: all verdict: safe
//@ run: gcc
// Things that look odd and deserve no warning: the standard error stays empty.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int x; } s;
static int unused;
static void take(const void *p, const char *const *q) { (void)p, (void)q; }

int main(int argc, char *argv[]) {
    int *p = malloc(4);
    *p = -1;
    unsigned u = *p;
    char c = 300 - 200;
    const char *text = "literal";
    char *copy = strchr(text, 'l');
    take(p, (const char *const *)argv);
    void *v = p;
    p = v;
    if (p == NULL || v == 0)
        return 1;
    enum { A, B } e = 1;
    e = 0;
    printf("%u %d %c %d\n", u, c, *copy, e == A);
    free(p);
    s z = {0};
    int array[3] = {0};
    struct { s a; int b; } nested = {{0}};
    memset(array, 0, sizeof array);
    (void)argc;
    return z.x + nested.b;
}
