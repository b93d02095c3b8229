//@ property: null-deref verdict: unsafe line: 26
//@ property: data-race verdict: safe
// A pointer of a new block is followed that may not be set. Only if it were the address of 'x' by chance, the thread would
// race with main.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int *first, *second;
};

static int x, y;
extern _Bool __VERIFIER_nondet_bool(void);

static void *work(void *unused)
{
    struct node *node = malloc(sizeof *node);
    int which = __VERIFIER_nondet_bool() + __VERIFIER_nondet_bool();
    if (which)
        node->second = &y;
    if (which > 1) {
        node->second = &x;
        free(node);
        return unused;
    }
    *node->second = 1;
    free(node);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    x = 1;
    pthread_join(thread, 0);
    return 0;
}
