//@ property: memory,assertion verdict: safe
//@ property: memory-leak verdict: unsafe
// Two blocks that point to each other and are otherwise forgotten.
#include <stdlib.h>

struct node { struct node *other; };

static void tie(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->other = b;
    b->other = a;
}

int main(void) {
    tie();
    int clear[64] = {0};
    return clear[3];
}
