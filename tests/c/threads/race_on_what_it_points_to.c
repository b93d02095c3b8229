//@ property: data-race verdict: unsafe line: 15
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The thread gets one node and reaches the other through it.
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static void *work(void *arg) {
    struct node *node = arg;

    node->next->value = 1;
    return 0;
}

int main(void) {
    struct node *second = calloc(1, sizeof *second);
    struct node *first = calloc(1, sizeof *first);
    first->next = second;
    pthread_t t;
    pthread_create(&t, 0, work, first);
    int seen = second->value;
    pthread_join(t, 0);
    free(first);
    free(second);
    return seen * 0;
}
