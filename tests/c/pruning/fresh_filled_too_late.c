//@ property: assertion verdict: unsafe
// The block is filled when others know it already.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
};

static struct node *_Atomic shared;
static _Atomic int chosen;

static void *make(void *arg)
{
    struct node *node = malloc(sizeof *node);
    shared = node;
    node->value = 1;
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
