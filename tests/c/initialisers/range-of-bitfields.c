//@ property: all verdict: safe
//@ run: gcc
// A range designator that ends in a bit-field sets the field of every element, evaluating the value once.
#include <stdio.h>

static int calls;
static int next(void) { return 5 + calls++; }

int main(void) {
    struct { int a; long long b : 11; } few[4] = { 5, [1 ... 3].b = 7 };
    struct { unsigned a : 3, b : 9; } many[300] = { [0 ... 299].a = 2, [10 ... 290].b = next() };
    unsigned sum = 0;
    for (int i = 0; i < 4; i++)
        printf("%d %d\n", few[i].a, (int)few[i].b);
    for (int i = 0; i < 300; i++)
        sum += many[i].a * 1000 + many[i].b;
    printf("%u %d %u %u\n", sum, calls, many[299].b, many[290].b);
    return 0;
}
