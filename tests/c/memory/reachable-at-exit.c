//@ property: memory,assertion,memory-leak verdict: safe
//@ property: memory-cleanup verdict: unsafe
// Blocks still reachable from globals at exit: no leak, but not cleaned up either.
#include <stdlib.h>

struct node { struct node *next; int v[4]; };
static struct node *cache;
static int *interior;

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = cache;
        n->v[2] = i;
        cache = n;
    }
    interior = &cache->v[2];
    return *interior != 2;
}

//@ known: order memory-leak unknown(may-be-lost)
