//@ property: memory-leak verdict: unsafe
//@ property: data-race verdict: unsafe
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Two threads push onto a list; one node gets lost.
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *list;

static void *push(void *arg) {
    struct node *n = malloc(sizeof *n);
    n->next = list;
    list = n;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, push, 0);
    push(0);
    pthread_join(t, 0);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
