//@ part
#include "modules.h"
#include <stdlib.h>

struct state { struct state *next; int v; };
struct ends { struct state *head, **tail; };

static void *create(void) {
    struct ends *e = malloc(sizeof *e);
    *e = (struct ends){0, &e->head};
    container_count++;
    return e;
}
static void put(void *s, int x) {
    struct ends *e = s;
    struct state *n = malloc(sizeof *n);
    *n = (struct state){0, x};
    *e->tail = n;
    e->tail = &n->next;
}
static int take(void *s) {
    struct ends *e = s;
    struct state *n = e->head;
    if (!n)
        return -1;
    int v = n->v;
    if (!(e->head = n->next))
        e->tail = &e->head;
    free(n);
    return v;
}
static void destroy(void *s) { free(s); }
const struct container queue = {.name = "queue", .create = create, .put = put, .take = take, .destroy = destroy};
