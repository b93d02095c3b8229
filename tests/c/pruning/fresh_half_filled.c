//@ property: assertion verdict: unsafe
// One member is filled before others know the block, the other one is not.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int first, second;
};

static struct node *_Atomic shared;

static void *make(void *arg)
{
    struct node *node = malloc(sizeof *node);
    node->first = 1;
    shared = node;
    node->second = 1;
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, make, 0);
    struct node *node = shared;
    if (node)
        assert(node->first == 1 && node->second == 1);
    pthread_join(a, 0);
    return 0;
}
