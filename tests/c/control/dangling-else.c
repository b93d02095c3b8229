//@ property: all verdict: safe
//@ run: gcc
// else belongs to the nearest if; long chains; empty statements.
#include <stdio.h>

static int dangling(int a, int b) {
    if (a)
        if (b)
            return 1;
        else
            return 2;
    return 3;
}
static int braced(int a, int b) {
    if (a) {
        if (b)
            return 1;
    } else
        return 2;
    return 3;
}
static const char *chain(int n) {
    if (n < 0)
        return "negative";
    else if (n == 0)
        return "zero";
    else if (n < 10)
        return "small";
    else if (n < 100)
        if (n % 2)
            return "odd";
        else
            return "even";
    else
        ;
    return "large";
}

int main(void) {
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            printf("%d%d ", dangling(a, b), braced(a, b));
    puts("");
    int tests[] = {-5, 0, 7, 43, 44, 1000};
    for (int i = 0; i < 6; i++)
        printf("%s ", chain(tests[i]));
    puts("");
    if (0)
        ;
    else
        puts("else");
    {
    }
    ;;
    for (int i = 0; i < 3; i++)
        if (i == 1)
            for (int j = 0; j < 2; j++)
                if (j)
                    puts("nested");
                else
                    puts("inner else");
    return 0;
}
