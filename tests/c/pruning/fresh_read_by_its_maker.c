//@ property: assertion verdict: unsafe
// The maker itself reads the block before it is filled.
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
    assert(node->value == 1);
    node->value = 1;
    shared = node;
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
