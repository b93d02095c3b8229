//@ property: all verdict: safe
//@ run: gcc
// pthread.h: types, initialisers and constants, without a thread.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
struct queue { pthread_mutex_t lock; pthread_cond_t nonempty; int items[4]; };
static struct queue queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {1, 2}};

static void *worker(void *arg) { return arg; }

int main(void) {
    printf("%zu %zu %zu %zu\n", sizeof mutex, sizeof cond, sizeof rwlock, sizeof once);
    printf("%zu %zu\n", sizeof(pthread_t), sizeof(pthread_attr_t));
    printf("%d %d %d\n", PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK);
    printf("%d %d\n", PTHREAD_CREATE_DETACHED, PTHREAD_BARRIER_SERIAL_THREAD);
    pthread_mutex_t copy = PTHREAD_MUTEX_INITIALIZER;
    printf("%d\n", memcmp(&mutex, &copy, sizeof copy));
    void *(*start)(void *) = worker;
    printf("%d %d\n", *(int *)start(&queue.items[1]), queue.items[0]);
    return once;
}
