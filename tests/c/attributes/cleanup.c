//@ property: all verdict: safe
//@ run: gcc
// cleanup functions run at every exit of the scope, last declared first.
#include <stdio.h>
#include <stdlib.h>

static void announce(int *x) { printf("<%d>", *x); }
static void release(char **p) {
    printf("[free %s]", *p ? *p : "nothing");
    free(*p);
}
#define AUTO __attribute__((cleanup(announce)))

static int by_return(int n) {
    AUTO int a = n;
    if (n > 1) {
        AUTO int b = n * 10;
        return a++ + b++;
    }
    AUTO int c = n + 100;
    return a;
}
static void by_goto(int n) {
again:;
    AUTO int a = n;
    if (n-- > 0)
        goto again;
    {
        AUTO int inner = 50;
        if (n < 0)
            goto out;
        AUTO int never = 60;
    }
out:
    printf("out");
}

int main(void) {
    printf(" %d\n", by_return(1));
    printf(" %d\n", by_return(2));
    by_goto(2);
    puts("");
    for (int i = 0; i < 4; i++) {
        AUTO int each = i;
        if (i == 1)
            continue;
        if (i == 2)
            break;
        printf("body");
    }
    puts("");
    {
        __attribute__((cleanup(release))) char *p = malloc(6);
        snprintf(p, 6, "heap");
        char *q __attribute__((cleanup(release))) = NULL;
    }
    puts("");
    int v = ({ AUTO int tmp = 7; tmp * 2; });
    printf(" %d\n", v);
    AUTO int last = 99;
    switch (last) {
    case 99: {
        AUTO int in_switch = 1;
        break;
    }
    }
    puts(" end");
    return 0;
}
