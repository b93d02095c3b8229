//@ property: assertion,data-race,deadlock,lock-misuse,memory,division-by-zero,signed-overflow,shift verdict: safe
// Blocks of a list are filled before anybody knows them: nobody finds what was there at first.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *_Atomic top;

static void *push(void *arg)
{
    struct node *node = malloc(sizeof *node);
    node->value = 7;
    struct node *seen = top;
    node->next = seen;
    __atomic_compare_exchange_n((struct node **)&top, &seen, node, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, push, 0);
    pthread_create(&other, 0, push, 0);
    for (struct node *node = top; node; node = node->next)
        assert(node->value == 7);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
