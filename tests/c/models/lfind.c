//@ model: lfind lsearch
//@ property: all verdict: safe
//@ run: gcc
#include <search.h>
#include <stdio.h>

static int differ(const void *a, const void *b)
{
    return *(const int *)a != *(const int *)b;
}

int main(void)
{
    int set[5] = {4, 8};
    size_t count = 2;
    int key = 8, other = 15;
    int *found = lfind(&key, set, &count, sizeof *set, differ);
    printf("%d %d\n", (int)(found - set), lfind(&other, set, &count, sizeof *set, differ) == NULL);
    found = lsearch(&other, set, &count, sizeof *set, differ);
    printf("%d %zu %d\n", (int)(found - set), count, set[2]);
    found = lsearch(&other, set, &count, sizeof *set, differ);
    printf("%d %zu\n", (int)(found - set), count);
    return 0;
}
