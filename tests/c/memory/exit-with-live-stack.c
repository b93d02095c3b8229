//@ property: memory,assertion,memory-leak verdict: safe
//@ property: memory-cleanup verdict: unsafe
//@ exit: 2
// exit from below: the blocks are still reachable from the frames of the callers.
#include <stdlib.h>

struct list { struct list *next; };

static void finish(struct list *l) {
    if (l->next->next == 0)
        exit(2);
}

int main(void) {
    struct list *tail = calloc(1, sizeof *tail);
    struct list *head = malloc(sizeof *head);
    head->next = tail;
    tail = 0;
    finish(head);
    free(head->next);
    free(head);
    return 0;
}

//@ known: order memory-leak unknown(may-be-lost)
