//@ property: data-race verdict: unsafe line: 26
// Counting takes no lock. Lines 26 and 34 race.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

struct bucket {
    pthread_mutex_t lock;
    struct node *head;
};

static struct bucket table[2];
static struct node nodes[2];
extern _Bool __VERIFIER_nondet_bool(void);

static void insert(int key, struct node *node)
{
    struct bucket *bucket = &table[key];
    node->key = key;
    pthread_mutex_lock(&bucket->lock);
    node->next = bucket->head;
    bucket->head = node;
    pthread_mutex_unlock(&bucket->lock);
}

static int count(int key)
{
    struct bucket *bucket = &table[key];
    int found = 0;
    for (struct node *node = bucket->head; node; node = node->next)
        found += node->key == key;
    return found;
}

static void *work(void *arg)
{
    insert(*(int *)arg, &nodes[1]);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int mine = __VERIFIER_nondet_bool(), other = __VERIFIER_nondet_bool();
    pthread_create(&thread, 0, work, &other);
    insert(mine, &nodes[0]);
    int found = count(mine);
    pthread_join(thread, 0);
    return found < 1;
}
