//@ property: all verdict: safe
// An unknown function that is never called does no harm, nor does its address if unused.
#include <stdio.h>

int mystery(int);
extern void other(void);

int main(int argc, char **argv) {
    if (argc > 3)
        other();
    int (*f)(int) = argc > 4 ? mystery : 0;
    printf("%d\n", f != 0);
    return 0;
}
