//@ property: all verdict: safe
//@ run: gcc
// A transparent union parameter accepts any of its member types.
#include <stdio.h>

typedef union { int *ints; float *floats; void *any; } vector __attribute__((transparent_union));

static int first_is_zero(vector v, int floats) { return floats ? v.floats[0] == 0 : v.ints[0] == 0; }

int main(void) {
    int i[2] = {0, 1};
    float f[2] = {1.5f, 0};
    printf("%d %d %d\n", first_is_zero(i, 0), first_is_zero(f, 1), first_is_zero(f + 1, 1));
    void *p = i;
    printf("%d\n", first_is_zero(p, 0));
    vector v = {.floats = f};
    printf("%d\n", first_is_zero(v, 1));
    return 0;
}
