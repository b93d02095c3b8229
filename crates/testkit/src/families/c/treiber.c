/* Treiber's stack with compare-and-swap, of SIZE nodes at first. Each of THREADS threads takes two nodes and puts
   one back, and tries each operation TRIES times. No node is ever freed, and none is taken by two.
   Unsafe: puts back the node it took. A thread that has read the next node of the old top may then take the
   node and leave a node on top that another thread holds (the ABA problem). */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int held;
};

static struct node *top;

static void push(struct node *node)
{
    for (int tries = 0; tries < TRIES; tries++) {
        struct node *seen = __atomic_load_n(&top, __ATOMIC_SEQ_CST);
        node->next = seen;
        if (__atomic_compare_exchange_n(&top, &seen, node, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return;
    }
}

static struct node *pop(void)
{
    for (int tries = 0; tries < TRIES; tries++) {
        struct node *seen = __atomic_load_n(&top, __ATOMIC_SEQ_CST);
        if (!seen)
            return 0;
        struct node *next = seen->next;
        if (__atomic_compare_exchange_n(&top, &seen, next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return seen;
    }
    return 0;
}

static struct node *fresh(void)
{
    struct node *node = malloc(sizeof *node);
    node->held = 0;
    return node;
}

static struct node *take(void)
{
    struct node *node = pop();
    if (node) {
        assert(!node->held);
        node->held = 1;
    }
    return node;
}

static void *work(void *unused)
{
    struct node *mine = take();
    take();
    if (mine) {
#if UNSAFE
        mine->held = 0;
        push(mine);
#else
        push(fresh());
#endif
    }
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int k = 0; k < SIZE; k++)
        push(fresh());
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], 0, work, 0);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], 0);
    return 0;
}
