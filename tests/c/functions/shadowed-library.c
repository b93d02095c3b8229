//@ property: all verdict: safe
//@ run: gcc
// Names of library functions that are not declared here are free for static functions and variables.
#include <stdio.h>

static int abs(int x) { return x < 0 ? -100 : 100; }
static int toupper(int c) { return c == 'x' ? '!' : c; }
static const char *index(const char *s, int c) { return *s == c ? s : "none"; }
static unsigned long strlen(const char *s) { return s ? 42 : 0; }
static double round(double x) { return x + 1; }

int main(void) {
    printf("%d %c%c\n", abs(-5), toupper('x'), toupper('y'));
    printf("%s %s\n", index("abc", 'a'), index("abc", 'b'));
    printf("%lu %g\n", strlen("four"), round(2.5));
    int exit = 3;
    int free = exit + 1;
    printf("%d\n", free);
    return 0;
}
