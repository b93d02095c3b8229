//@ property: all verdict: safe
//@ run: gcc
// Initialisers that use the address of what they initialise; cyclic static data.
#include <stdio.h>

struct node { const char *name; struct node *next, *const *back; };
extern struct node b;
struct node a = {"a", &b, &a.next};
struct node b = {"b", &a, &a.next};
static void *loop[3] = {&loop[1], &loop[2], &loop[0]};
static struct { int n, *p; } own = {5, &own.n};

int main(void) {
    printf("%s %s %d\n", a.next->name, a.next->next->name, *b.back == &b);
    printf("%d\n", **(void ***)loop[0] == &loop[0]);
    *own.p += 1;
    printf("%d\n", own.n);
    struct node local = {"local", &local, (struct node *const *)&local.next};
    printf("%s %d\n", local.next->next->name, *local.back == &local);
    int x = 5, *p = &x, **pp = &p, ***ppp = &pp;
    printf("%d\n", ***ppp);
    void *self = &self;
    printf("%d\n", *(void **)self == self);
    size_t size = sizeof size;
    printf("%zu\n", size);
    static int counter = sizeof counter, *where = &counter;
    printf("%d\n", *where);
    return 0;
}
