//@ property: memory,assertion verdict: safe
//@ property: memory-leak verdict: unsafe
//@ exit: 1
// The error path forgets to free; the lost block holds the only pointer to another one.
#include <stdlib.h>

struct pair { int *first, *second; };

static int process(int fail) {
    struct pair *p = malloc(sizeof *p);
    p->first = malloc(sizeof(int));
    p->second = NULL;
    if (fail)
        return 1;
    free(p->first);
    free(p);
    return 0;
}

int main(void) {
    if (process(0))
        return 5;
    return process(1);
}
