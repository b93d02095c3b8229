/* The queue of Michael and Scott with compare-and-swap, between one producer of ITEMS items and CONSUMERS
   consumers that take as many; each operation is tried TRIES times. No node is ever freed, and no item is taken
   twice.
   Unsafe: taking moves the head without compare-and-swap. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define SWAP(place, old, new) \
    __atomic_compare_exchange_n(place, old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define LOAD(place) __atomic_load_n(place, __ATOMIC_SEQ_CST)

struct node {
    int item;
    struct node *next;
};

static struct node *head, *tail;
static int taken[ITEMS];

static struct node *fresh(int item)
{
    struct node *node = malloc(sizeof *node);
    node->item = item;
    node->next = 0;
    return node;
}

static void enqueue(int item)
{
    struct node *node = fresh(item);
    for (int tries = 0; tries < TRIES; tries++) {
        struct node *last = LOAD(&tail), *next = LOAD(&last->next);
        if (next) {
            SWAP(&tail, &last, next);
        } else if (SWAP(&last->next, &next, node)) {
            SWAP(&tail, &last, node);
            return;
        }
    }
}

static int dequeue(void)
{
    for (int tries = 0; tries < TRIES; tries++) {
        struct node *first = LOAD(&head), *last = LOAD(&tail), *next = LOAD(&first->next);
        if (first == last) {
            if (!next)
                return -1;
            SWAP(&tail, &last, next);
            continue;
        }
#if UNSAFE
        __atomic_store_n(&head, next, __ATOMIC_SEQ_CST);
        return next->item;
#else
        if (SWAP(&head, &first, next))
            return next->item;
#endif
    }
    return -1;
}

static void *produce(void *unused)
{
    for (int item = 0; item < ITEMS; item++)
        enqueue(item);
    return unused;
}

static void *consume(void *unused)
{
    for (int k = 0; k < ITEMS; k++) {
        int item = dequeue();
        if (item >= 0) {
            assert(!taken[item]);
            taken[item] = 1;
        }
    }
    return unused;
}

int main(void)
{
    pthread_t producer, consumers[CONSUMERS];
    head = tail = fresh(-1);
    pthread_create(&producer, 0, produce, 0);
    for (int t = 0; t < CONSUMERS; t++)
        pthread_create(&consumers[t], 0, consume, 0);
    pthread_join(producer, 0);
    for (int t = 0; t < CONSUMERS; t++)
        pthread_join(consumers[t], 0);
    return 0;
}
