//@ property: all verdict: safe
//@ run: gcc
// An atexit handler and a destructor free what is left.
#include <stdio.h>
#include <stdlib.h>

static char *a;
static int **table;

static void drop_a(void) {
    puts("drop a");
    free(a);
}
__attribute__((destructor)) static void drop_table(void) {
    for (int i = 0; i < 3; i++)
        free(table[i]);
    free(table);
}

int main(void) {
    a = malloc(10);
    atexit(drop_a);
    table = malloc(3 * sizeof *table);
    for (int i = 0; i < 3; i++) {
        table[i] = malloc(sizeof(int));
        *table[i] = i * i;
    }
    printf("%d\n", *table[2]);
    exit(0);
}
