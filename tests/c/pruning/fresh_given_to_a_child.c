//@ property: assertion verdict: unsafe
// A thread that was given the block reads it before it is filled.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
};

static struct node *_Atomic shared;
static _Atomic int chosen;

static void *look(void *block)
{
    struct node *node = block;
    assert(node->value == 1);
    return 0;
}

static void *make(void *arg)
{
    pthread_t child;
    struct node *node = malloc(sizeof *node);
    pthread_create(&child, 0, look, node);
    node->value = 1;
    shared = node;
    pthread_join(child, 0);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, make, 0);
    chosen = 1;
    struct node *node = shared;
    if (node)
        assert(node->value == 1);
    pthread_join(a, 0);
    return 0;
}
