//@ property: all verdict: safe
//@ run: gcc
//@ warning: 22 implicit-int
//@ warning: 22 implicit-int
// K&R definitions: arguments are promoted by the caller and converted back by the callee.
#include <stdio.h>

int add(a, b)
int a, b;
{
    return a + b;
}

double scale(x, c, s)
float x;
char c;
short *s;
{
    return x * c + *s;
}

implicit(a, p)
char *p;
{
    return a + p[0];
}

char *pick(words, n)
register char **words;
unsigned char n;
{
    return words[n];
}

int no_args() { return 7; }

int main()
{
    short s = 3;
    char *words[] = {"zero", "one", "two"};
    printf("%d\n", add(1, 2));
    printf("%g\n", scale(0.5, 'A', &s));
    printf("%d\n", implicit(1, "A"));
    printf("%s\n", pick(words, 258));
    printf("%d\n", no_args());
    int (*f)() = add;
    printf("%d\n", f(40, 2));
    return 0;
}
