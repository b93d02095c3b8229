//@ property: all verdict: safe
//@ run: gcc
// float expressions are rounded to float at every step, not kept in double.
#include <stdio.h>

static float third(float x) { return x / 3; }

int main(void) {
    float a = 0.1f, b = 0.2f;
    printf("%a %a\n", a, a + b);
    printf("%d %d\n", a == 0.1, a == 0.1f);
    printf("%a %a\n", 16777216.0f + 1.0f, 16777216.0f + 1.0);
    printf("%a\n", third(1));
    float sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += 0.1f;
    printf("%.9g\n", sum);
    float big = 3e38f;
    printf("%g\n", big * 10 / 10);
    printf("%g\n", big * 10.0 / 10);
    float f = 16777217;
    printf("%.1f\n", f);
    int i = 2147483647;
    printf("%.1f %.1f\n", (float)i, (double)i);
    float product = 1;
    for (int k = 1; k < 30; k++)
        product *= 1 + 1.0f / k;
    printf("%a\n", product);
    printf("%zu %zu %zu\n", sizeof(a + b), sizeof(a + 1.0), sizeof(a + 1L));
    f = 0.1;
    f += 0.2;
    printf("%a\n", f);
    printf("%a %a\n", (float)1e-40, (float)1e39 > 1e38f ? 1.0 : 0.0);
    return 0;
}
