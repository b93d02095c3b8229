//@ property: data-race verdict: unsafe line: 23
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The producer changes a node that is already in the list. Lines 23 and 37 race.
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;

static void *produce(void *unused)
{
    struct node *node = malloc(sizeof *node);
    node->value = 1;
    pthread_mutex_lock(&mutex);
    node->next = list;
    list = node;
    pthread_mutex_unlock(&mutex);
    node->value = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, produce, 0);
    pthread_mutex_lock(&mutex);
    struct node *node = list;
    if (node)
        list = node->next;
    pthread_mutex_unlock(&mutex);
    if (node)
        node->value++;
    pthread_join(thread, 0);
    free(node ? node : list);
    return 0;
}
