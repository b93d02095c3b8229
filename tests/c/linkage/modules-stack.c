//@ part
#include "modules.h"
#include <stdlib.h>

struct state { int n, v[8]; };
int container_count;

static void *create(void) { container_count++; return calloc(1, sizeof(struct state)); }
static void put(void *s, int x) { struct state *t = s; t->v[t->n++] = x; }
static int take(void *s) { struct state *t = s; return t->n ? t->v[--t->n] : -1; }
const struct container stack = {"stack", create, put, take, free};
