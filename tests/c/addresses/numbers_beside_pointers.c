//@ property: all verdict: safe
// Blocks that hold a pointer and a number each go from hand to hand: numbers that are read are never made of addresses.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *_Atomic top;

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    node->next = top;
    node->value = value;
    top = node;
}

static void *more(void *unused)
{
    push(top->value + 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    push(1);
    pthread_create(&thread, 0, more, 0);
    struct node *seen = top;
    if (seen->value == 2)
        assert(seen->next->value == 1);
    else
        assert(seen->value == 1);
    pthread_join(thread, 0);
    free(top->next);
    free(top);
    return 0;
}
