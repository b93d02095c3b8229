//@ property: use-after-free verdict: unsafe line: 17
// A stale alias written after the block was freed through another name.
#include <stdlib.h>

struct buffer { char *data; size_t size; };

static void drop(struct buffer *b) {
    free(b->data);
    b->size = 0;
}

int main(void) {
    struct buffer b = {malloc(8), 8};
    char *cursor = b.data + 4;
    *cursor = 1;
    drop(&b);
    *cursor = 2;
    return 0;
}
