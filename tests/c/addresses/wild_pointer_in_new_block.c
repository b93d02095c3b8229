//@ property: null-deref verdict: unsafe line: 17
// A new block holds an arbitrary pointer: what it points to, if anything, depends on where objects lie.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node first, *shared = &first, *other;

static void *work(void *arg)
{
    struct node *made = malloc(sizeof *made);
    shared = other = made;
    return shared->next ? (void *)(long)shared->next->value : arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
