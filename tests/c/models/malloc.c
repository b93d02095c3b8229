//@ model: malloc calloc realloc reallocarray free
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *a = malloc(4 * sizeof *a);
    int *zeros = calloc(3, sizeof *zeros);
    char *empty = malloc(0);
    for (int i = 0; i < 4; i++)
        a[i] = i * i;
    a = realloc(a, 6 * sizeof *a);
    a[4] = 100;
    a[5] = 101;
    for (int i = 0; i < 6; i++)
        printf("%d ", a[i]);
    a = reallocarray(a, 2, sizeof *a);
    printf("%d %d, %d %d %d\n", a[0], a[1], zeros[0], zeros[1], zeros[2]);
    printf("%d\n", empty != (char *)a);
    free(empty);
    free(a);
    free(zeros);
    free(NULL);
    int *fresh = realloc(NULL, sizeof *fresh);
    *fresh = 7;
    printf("%d\n", *fresh);
    free(fresh);
    return 0;
}
