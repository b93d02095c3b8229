//@ property: all verdict: safe
//@ run: gcc
// Calls as operands where the order is fixed by sequence points, and where it does not matter.
#include <stdio.h>

static int n;
static int tick(void) { return ++n; }
static int pure(int x) { return x * 3; }
static int put(const char *s) {
    printf("%s", s);
    return 0;
}

int main(void) {
    int a = tick();
    int b = tick() * 10;
    printf("%d %d\n", a, b);
    printf("%d\n", pure(1) + pure(2) * pure(3));
    int c = (tick(), tick()) + 100;
    printf("%d\n", c);
    (void)(put("a") || put("b") || (put("c"), 1) || put("d"));
    puts("");
    int x = put("x") ? put("y") : put("z");
    printf(" %d\n", x);
    int array[5] = {0};
    int i = 0;
    array[i] = 5, i++;
    array[i] = array[i - 1] + 1;
    printf("%d %d\n", array[0], array[1]);
    while (i++ < 3 && put("."))
        ;
    printf("%d\n", i);
    return 0;
}
