//@ property: lock-misuse verdict: unsafe line: 28
//@ property: assertion,data-race,deadlock verdict: safe
// The block goes while the mutex in it is held.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    pthread_mutex_t lock;
};

static void *work(void *arg)
{
    struct node *node = arg;
    node->value = 1;
    return 0;
}

int main(void)
{
    struct node *node = malloc(sizeof *node);
    pthread_t t;
    pthread_mutex_init(&node->lock, 0);
    pthread_create(&t, 0, work, node);
    pthread_join(t, 0);
    pthread_mutex_lock(&node->lock);
    node->value = 2;
    free(node);
    return 0;
}
