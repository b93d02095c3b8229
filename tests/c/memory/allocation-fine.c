//@ property: all verdict: safe
//@ run: gcc
// Allocation used as it should be: growth, ownership moved, aligned blocks, zeroing.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vec { int *data; size_t len, cap; };

static void push(struct vec *v, int x) {
    if (v->len == v->cap) {
        v->cap = v->cap ? v->cap * 2 : 1;
        v->data = realloc(v->data, v->cap * sizeof *v->data);
    }
    v->data[v->len++] = x;
}
static char *join(const char *a, const char *b) {
    char *r = malloc(strlen(a) + strlen(b) + 1);
    return strcat(strcpy(r, a), b);
}

int main(void) {
    struct vec v = {0};
    for (int i = 0; i < 20; i++)
        push(&v, i * i);
    printf("%zu %zu %d\n", v.len, v.cap, v.data[19]);
    free(v.data);
    char *a = join("left", "right"), *b = join(a, "!");
    free(a);
    puts(b);
    free(b);
    int *z = calloc(3, sizeof *z);
    printf("%d%d%d\n", z[0], z[1], z[2]);
    z = realloc(z, sizeof *z);
    free(z);
    uint64_t *aligned = aligned_alloc(64, 128);
    aligned[15] = 5;
    printf("%d %d\n", (int)((uintptr_t)aligned % 64), (int)aligned[15]);
    free(aligned);
    char *dup = strdup("duplicate");
    dup[0] = 'D';
    puts(dup);
    free(dup);
    int **grid = malloc(3 * sizeof *grid);
    for (int i = 0; i < 3; i++)
        grid[i] = calloc(i + 1, sizeof **grid);
    grid[2][2] = 7;
    printf("%d\n", grid[2][2] + grid[1][1]);
    for (int i = 0; i < 3; i++)
        free(grid[i]);
    free(grid);
    return 0;
}
