//@ model: qsort qsort_r bsearch
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int compare_by(const void *a, const void *b, void *sign)
{
    return *(int *)sign * compare_ints(a, b);
}

struct item {
    int key;
    char name;
};

static int compare_items(const void *a, const void *b)
{
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

int main(void)
{
    int numbers[] = {5, 3, 9, -1, 7, 3, 0, 100, 42};
    const char *words[] = {"pear", "apple", "fig", "banana"};
    struct item items[] = {{2, 'a'}, {1, 'b'}, {2, 'c'}, {1, 'd'}, {2, 'e'}};
    int minus = -1;
    qsort(numbers, 9, sizeof *numbers, compare_ints);
    for (int i = 0; i < 9; i++)
        printf("%d ", numbers[i]);
    for (int key = -1; key < 8; key += 4) {
        int *found = bsearch(&key, numbers, 9, sizeof *numbers, compare_ints);
        printf("%d:%d ", key, found ? (int)(found - numbers) : -1);
    }
    qsort_r(numbers, 9, sizeof *numbers, compare_by, &minus);
    printf("%d %d\n", numbers[0], numbers[8]);
    qsort(words, 4, sizeof *words, compare_words);
    printf("%s %s %s %s\n", words[0], words[1], words[2], words[3]);
    qsort(items, 5, sizeof *items, compare_items);
    for (int i = 0; i < 5; i++)
        printf("%d%c ", items[i].key, items[i].name);
    qsort(numbers, 0, sizeof *numbers, compare_ints);
    printf("\n");
    return 0;
}
