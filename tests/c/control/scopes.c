//@ property: all verdict: safe
//@ run: gcc
// Inner declarations hide outer ones from their own declarator on.
#include <stdio.h>

static int x = 1;
typedef int T;

static int param(int x) {
    {
        int x = 30;
        x++;
    }
    return x;
}

int main(void) {
    printf("%d ", x);
    int x = 2;
    printf("%d ", x);
    {
        extern int puts(const char *);
        int y = x, x = y + 1;
        printf("%d ", x);
        {
            static int x = 50;
            printf("%d ", x++);
        }
    }
    printf("%d %d\n", x, param(7));
    T T = 5;
    printf("%d\n", T * 2);
    for (int x = 10; x < 12; x++) {
        int x = 99;
        printf("%d ", x);
    }
    printf("%d\n", x);
    if (x) {
        enum { x = 1234 };
        printf("%d\n", x);
    }
    {
        typedef char x;
        printf("%zu\n", sizeof(x));
    }
    {
        struct x { char c[9]; };
        printf("%zu %d\n", sizeof(struct x), x);
    }
    int z = sizeof z;
    printf("%d\n", z);
    int size[sizeof(int)], n = sizeof size / sizeof *size;
    printf("%d\n", n);
    {
        extern int global_later;
        printf("%d\n", global_later);
    }
    return 0;
}

int global_later = 88;
