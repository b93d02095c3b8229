//@ property: all verdict: safe
//@ run: gcc
// All forms that stay in their arrays, or are judged by the whole object.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct inner { int tag; int items[3]; };
struct record { int first[4]; int after; struct inner last; };
struct packet { unsigned len; char data[1]; };
union view { unsigned char bytes[4]; unsigned word; long both[2]; };
static int grid[3][4];
static struct record r, *volatile pr = &r;
static volatile int three = 3, four = 4;

#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

static int sum(const int *from, const int *to) {
    int s = 0;
    while (from != to)
        s += *from++;
    return s;
}

int main(void) {
    /* One past the end is an address. */
    for (int i = 0; i < 4; i++)
        r.first[i] = i;
    printf("%d %d\n", sum(&r.first[0], &r.first[four]), sum(r.first, &pr->first[4]));
    /* Rows of a grid; the row past the last one is an address, too. */
    for (int (*row)[4] = grid; row != &grid[three]; row++)
        for (int j = 0; j < four; j++)
            (*row)[j] = j;
    printf("%d %d\n", grid[2][three], sum(grid[0], grid[three]));
    /* The last array of a struct behind a pointer is as long as its block. */
    struct packet *p = malloc(sizeof *p + 8);
    p->len = 8;
    for (unsigned i = 0; i < p->len; i++)
        p->data[i] = (char)('a' + i);
    printf("%.8s\n", p->data);
    free(p);
    struct inner *big = calloc(1, sizeof *big + 2 * sizeof(int));
    big->items[four] = 7;
    printf("%d\n", big->items[four]);
    free(big);
    /* Pointers that were computed are judged by the whole object. */
    int *q = r.first;
    *(q + four) = 5;
    ((int *)&r)[four] += 1;
    printf("%d\n", r.after);
    memset(&r.first[three], 0, 2 * sizeof(int));
    memcpy(r.first, grid, sizeof r.first + sizeof r.after);
    printf("%d %d\n", r.after, container_of(&r.last, struct record, last) == &r);
    /* A member of a union behind a pointer comes last in it. */
    union view v = {.both = {1, 2}}, *volatile pv = &v;
    printf("%d %d\n", pv->bytes[0], pv->bytes[four + 4]);
    /* Not evaluated. */
    printf("%zu\n", sizeof r.first[99]);
    int n = three, vla[n];
    for (int i = 0; i < n; i++)
        vla[i] = i;
    return sum(vla, &vla[n]) != 3;
}
