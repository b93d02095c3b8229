//@ model: alloca
//@ property: all verdict: safe
//@ run: gcc
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <alloca.h>
#undef alloca

static int sum(int n)
{
    int *a = alloca((size_t)n * sizeof *a);
    int total = 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        total += a[i];
    return total;
}

int main(void)
{
    char *text = alloca(6);
    strcpy(text, "local");
    printf("%s %d %d\n", text, sum(10), sum(100));
    return 0;
}
