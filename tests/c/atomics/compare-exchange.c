//@ property: all verdict: safe
//@ run: gcc
// A successful exchange stores; a failing one writes the seen value to *expected.
#include <stdatomic.h>
#include <stdio.h>

static atomic_int cell = 5;
struct node { struct node *next; int v; };
static struct node *_Atomic top;

static void push(struct node *n) {
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
}
static struct node *pop(void) {
    struct node *n = atomic_load(&top);
    while (n && !atomic_compare_exchange_weak(&top, &n, n->next))
        ;
    return n;
}
static int saturating_add(atomic_int *a, int by, int max) {
    int old = atomic_load(a), next;
    do
        next = old + by > max ? max : old + by;
    while (!atomic_compare_exchange_weak_explicit(a, &old, next, memory_order_acq_rel, memory_order_relaxed));
    return next;
}

int main(void) {
    int expected = 5;
    printf("%d ", atomic_compare_exchange_strong(&cell, &expected, 6));
    printf("%d %d\n", expected, cell);
    printf("%d ", atomic_compare_exchange_strong(&cell, &expected, 7));
    printf("%d %d\n", expected, cell);
    printf("%d\n", atomic_compare_exchange_strong(&cell, &expected, 7));
    printf("%d ", saturating_add(&cell, 10, 20));
    printf("%d\n", saturating_add(&cell, 10, 20));
    struct node nodes[3] = {{0, 1}, {0, 2}, {0, 3}};
    for (int i = 0; i < 3; i++)
        push(&nodes[i]);
    for (struct node *n; (n = pop());)
        printf("%d ", n->v);
    puts("");
    atomic_flag f = ATOMIC_FLAG_INIT;
    printf("%d", atomic_flag_test_and_set(&f));
    printf("%d", atomic_flag_test_and_set_explicit(&f, memory_order_acquire));
    atomic_flag_clear(&f);
    printf("%d\n", atomic_flag_test_and_set(&f));
    return 0;
}

//@ known: order all unknown(loop-bound)
