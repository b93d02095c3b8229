//@ property: all verdict: safe
//@ run: gcc
// stdlib.h: allocation, conversion, sorting, searching, integer division, random numbers.
#include <stdio.h>
#include <stdlib.h>

static int down(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x < y) - (x > y);
}

int main(void) {
    int *a = malloc(5 * sizeof *a);
    for (int i = 0; i < 5; i++)
        a[i] = i * 7 % 5;
    a = realloc(a, 6 * sizeof *a);
    a[5] = 9;
    qsort(a, 6, sizeof *a, down);
    for (int i = 0; i < 6; i++)
        printf("%d ", a[i]);
    int key = 3, *hit = bsearch(&key, a, 6, sizeof *a, down);
    printf("at %d\n", (int)(hit - a));
    free(a);
    char *end;
    printf("%ld ", strtol("  -42rest", &end, 10));
    printf("%s\n", end);
    printf("%lu %d %g\n", strtoul("ff", NULL, 16), atoi("17x"), strtod("2.5e3", NULL));
    div_t d = div(-7, 2);
    ldiv_t l = ldiv(100, 7);
    printf("%d %d %ld %ld\n", d.quot, d.rem, l.quot, l.rem);
    printf("%d %ld\n", abs(-3), labs(-4l));
    srand(42);
    int r = rand();
    srand(42);
    printf("%d %d\n", r == rand(), RAND_MAX);
    int *z = calloc(4, sizeof *z);
    printf("%d\n", z[0] | z[3]);
    free(z);
    free(NULL);
    printf("%d\n", EXIT_FAILURE);
    return EXIT_SUCCESS;
}

//@ known: explicit all unknown(cut)
