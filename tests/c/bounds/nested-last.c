//@ property: all verdict: safe
//@ property: out-of-bounds verdict: unsafe line: 17
// The last array of a struct that is not the last member itself.
#include <stdlib.h>

struct inner { int tag; int items[2]; };
struct outer { struct inner in; int after; };

int main(void) {
    struct outer *o = calloc(1, sizeof *o);
    if (!o)
        return 0;
    int i = 2;
    struct inner *in = &o->in;
    /* Here nobody can know what comes after. */
    in->items[i] = 1;
    o->in.items[i] = 1;
    free(o);
    return 0;
}
