//@ property: assertion,data-race,deadlock,misuse,memory verdict: safe
// The block goes when nobody holds the mutex in it.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    pthread_mutex_t lock;
};

static void *work(void *arg)
{
    struct node *node = arg;
    pthread_mutex_lock(&node->lock);
    node->value++;
    pthread_mutex_unlock(&node->lock);
    return 0;
}

int main(void)
{
    struct node *node = malloc(sizeof *node);
    pthread_t t;
    node->value = 0;
    pthread_mutex_init(&node->lock, 0);
    pthread_create(&t, 0, work, node);
    work(node);
    pthread_join(t, 0);
    pthread_mutex_lock(&node->lock);
    pthread_mutex_unlock(&node->lock);
    free(node);
    return 0;
}
