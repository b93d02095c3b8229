//@ model: __isoc99_scanf __isoc99_fscanf
//@ property: all verdict: safe
//@ run: gcc
//@ stdin: 12 -7 0x1f 077 word 3.25 -1e3 xyz,rest of line\n99 abc
#include <stdio.h>

int main(void)
{
    int a, b, c, d, n;
    char word[20], letters[4] = "###", rest[30];
    float f;
    double g;
    printf("%d ", scanf("%d%d %i %o", &a, &b, &c, &d));
    printf("%d %d %d %d\n", a, b, c, d);
    printf("%d ", fscanf(stdin, "%s%f%lf%n", word, &f, &g, &n));
    printf("%s %g %g %d\n", word, f, g, n);
    printf("%d ", scanf(" %3c,%[^\n]", letters, rest));
    printf("%s|%s\n", letters, rest);
    printf("%d ", scanf("%d%d", &a, &b));
    printf("%d\n", a);
    printf("%d ", scanf("%*s%d", &a));
    printf("%d\n", scanf("%d", &a));
    return 0;
}
