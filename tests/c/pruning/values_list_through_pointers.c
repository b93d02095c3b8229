//@ property: assertion,null-deref,out-of-bounds,data-race verdict: safe
// A list of three nodes, two made by a thread: every pointer is null or one of them.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node end = {0, 3};
static struct node *_Atomic head = &end;

static void *push(void *arg)
{
    for (int k = 2; k > 0; k--) {
        struct node *node = malloc(sizeof *node);
        node->value = k;
        node->next = head;
        head = node;
    }
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, push, 0);
    int before = 0;
    for (struct node *node = head; node; node = node->next) {
        assert(node->value > before && node->value < 4);
        before = node->value;
    }
    assert(before == 3);
    pthread_join(a, 0);
    return 0;
}

//@ known: order all unknown(loop-bound)
