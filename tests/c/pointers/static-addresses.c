//@ property: all verdict: safe
//@ run: gcc
// Address constants in static initialisers.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct s { int a; struct { short x, y[4]; } b[3]; };
static struct s object = {1, {{2, {3, 4, 5, 6}}, {7, {8, 9}}}};
static int *p1 = &object.a;
static short *p2 = &object.b[1].y[1];
static short *p3 = object.b[0].y + 3;
static short *p4 = &(&object)->b[1].x;
static const char *text = "literal" + 3;
static int function(void) { return 42; }
static int (*fp)(void) = function, (*fp2)(void) = &function;
static void *self = &self;
static int numbers[] = {1, 2, 3};
static int *last = &numbers[sizeof numbers / sizeof *numbers - 1], *end = numbers + 3;
static uintptr_t as_integer = (uintptr_t)&numbers[1];
static int *literal = (int[]){10, 20, 30};
static struct s *anonymous = &(struct s){.a = 77};
static char *bytes = (char *)&numbers + sizeof(int);
static int **pp = &p1;
static size_t difference = offsetof(struct s, b[2].y[1]) - offsetof(struct s, b);
static _Bool known = 1 && sizeof(int) == 4;

int main(void) {
    printf("%d %d %d %d\n", *p1, *p2, *p3, *p4);
    printf("%s %d %d\n", text, fp(), fp2());
    printf("%d %d %td\n", self == &self, *last, end - numbers);
    printf("%d %d %d\n", *(int *)as_integer, literal[2], anonymous->a);
    printf("%d %d %zu %d\n", *(int *)bytes, **pp, difference, known);
    **pp = 5;
    printf("%d\n", object.a);
    static int *local = &numbers[0];
    printf("%d\n", *++local);
    return 0;
}
