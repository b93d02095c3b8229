//@ property: memory,assertion verdict: safe
//@ property: memory-leak verdict: unsafe
// Freeing the outer block loses the inner one.
#include <stdlib.h>

struct box { char *content; };
static struct box *box;

int main(void) {
    box = malloc(sizeof *box);
    box->content = malloc(10);
    box->content[0] = 'x';
    free(box);
    box = 0;
    return 0;
}
