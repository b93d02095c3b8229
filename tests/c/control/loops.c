//@ property: all verdict: safe
//@ run: gcc
// All loops, with break and continue in every position.
#include <stdio.h>

int main(void) {
    int i = 0;
    while (i < 10) {
        if (++i % 2)
            continue;
        if (i > 7)
            break;
        printf("%d ", i);
    }
    printf("| %d\n", i);
    do {
        if (i-- == 6)
            continue;
        printf("%d ", i);
    } while (i > 4);
    printf("| %d\n", i);
    do
        printf("once ");
    while (0);
    for (;;)
        break;
    for (i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (j == i)
                continue;
            if (j > i + 1)
                break;
            printf("%d%d ", i, j);
        }
    puts("");
    for (int a = 0, b = 10; a < b; a += 3, b--)
        printf("%d-%d ", a, b);
    puts("");
    for (unsigned u = 3; u-- > 0;)
        printf("%u ", u);
    puts("");
    int count = 0;
    for (i = 0; i < 5; i++) {
        int i = 100;
        count += i;
    }
    printf("%d %d\n", count, i);
    for (const char *p = "text"; *p; ++p)
        if (*p == 'x')
            printf("X");
        else
            printf("%c", *p);
    puts("");
    while (i --> 0)
        ;
    printf("%d\n", i);
    long total = 0;
    for (long n = 0; n < 20000; n++)
        total += n % 7 * (n & 3);
    printf("%ld\n", total);
    int x = 27, steps = 0;
    while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        steps++;
    }
    printf("%d\n", steps);
    return 0;
}
