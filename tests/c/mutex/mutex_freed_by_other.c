//@ property: lock-misuse verdict: unsafe line: 32
// The thread that frees the block does not know that the other one may hold the mutex.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct node {
    int value;
    pthread_mutex_t lock;
};

static sem_t taken;

static void *work(void *arg)
{
    struct node *node = arg;
    pthread_mutex_lock(&node->lock);
    node->value = 1;
    sem_post(&taken);
    pthread_mutex_unlock(&node->lock);
    return 0;
}

int main(void)
{
    struct node *node = malloc(sizeof *node);
    pthread_t t;
    pthread_mutex_init(&node->lock, 0);
    sem_init(&taken, 0, 0);
    pthread_create(&t, 0, work, node);
    sem_wait(&taken);
    free(node);
    return 0;
}
