//@ property: all verdict: safe
//@ run: gcc
// Inner braces may be left out, kept, or mixed.
#include <stdio.h>

struct in { int a[2]; char c; };
struct out { int first; struct in in[2]; int last; };

static struct out full = {1, {{{2, 3}, 4}, {{5, 6}, 7}}, 8};
static struct out flat = {1, 2, 3, 4, 5, 6, 7, 8};
static struct out mixed = {1, {{2}, {{5}, 7}}, 8};
static struct out partial = {1, {2, 3, 4, {5}}, 8};
static int m[2][3] = {1, 2, 3, 4};
static int n[2][3] = {{1}, {4, 5}};
static char lines[2][4] = {'a', 'b', 0, 0, "cd"};
static int braced = {5};
static char text[] = {"braced"};
static struct { struct { int x; } deep; int y; } d = {{{1}}, 2};

static void show(const struct out *o) {
    printf("%d %d %d %d %d %d %d %d\n", o->first, o->in[0].a[0], o->in[0].a[1], o->in[0].c, o->in[1].a[0],
           o->in[1].a[1], o->in[1].c, o->last);
}

int main(void) {
    show(&full);
    show(&flat);
    show(&mixed);
    show(&partial);
    for (int i = 0; i < 6; i++)
        printf("%d%d ", m[i / 3][i % 3], n[i / 3][i % 3]);
    printf("\n%s %s %d %s %d %d\n", lines[0], lines[1], braced, text, d.deep.x, d.y);
    struct in value = {{7, 8}, 9};
    struct out local = {0, value, {{1}}, 3};
    show(&local);
    struct out local2 = {.in = {value, value}};
    show(&local2);
    struct out arr[] = {full, flat, {5}};
    show(&arr[1]);
    show(&arr[2]);
    return 0;
}
