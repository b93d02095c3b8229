//@ property: all verdict: safe
//@ run: gcc
//@ warning: 11 pointer-comparison
//@ warning: 12 pointer-comparison
// Comparisons of unrelated pointer types and of pointers with integers.
#include <stdio.h>

int main(void) {
    int i = 1;
    char *c = (char *)&i;
    printf("%d\n", c == &i);
    printf("%d\n", c == 5);
    printf("%d %d\n", c == 0, (void *)c == &i);
    return 0;
}
