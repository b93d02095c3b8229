//@ property: all verdict: safe
//@ run: gcc
// The comma operator sequences, its value is the right one, and it is no argument separator in parentheses.
#include <stdio.h>

static int trace(int x) {
    printf("<%d>", x);
    return x;
}
static int two(int a, int b) { return a * 10 + b; }

int main(void) {
    int a = (trace(1), trace(2), trace(3));
    printf(" %d\n", a);
    int b;
    b = trace(4), trace(5);
    printf(" %d\n", b);
    printf("%d\n", two((1, 2), (3, 4)));
    int i, j;
    for (i = 0, j = 10; i < j; i++, j -= 2)
        printf("%d,%d ", i, j);
    puts("");
    char c = 'x';
    printf("%zu %zu\n", sizeof(c), sizeof(0, c));
    int x = 0;
    x = (x++, x += 5, x * 2);
    printf("%d\n", x);
    int array[(1, 2) + 1];
    printf("%zu\n", sizeof array / sizeof *array);
    return 0;
}
