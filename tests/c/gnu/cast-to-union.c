//@ property: all verdict: safe
//@ run: gcc
// A cast to a union type makes a union with the member of that type.
#include <stdio.h>

union num { int i; double d; const char *s; };

static void show(union num n, char kind) {
    switch (kind) {
    case 'i': printf("%d\n", n.i); break;
    case 'd': printf("%g\n", n.d); break;
    case 's': printf("%s\n", n.s); break;
    }
}

int main(void) {
    show((union num)5, 'i');
    show((union num)2.5, 'd');
    show((union num)(const char *)"text", 's');
    union num u = (union num)7;
    printf("%d\n", u.i);
    return 0;
}
