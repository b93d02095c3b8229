//@ property: all verdict: safe
//@ run: gcc
// Zeroed memory is a mutex, a condition variable, a read-write lock and a semaphore, as with static storage.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

struct all {
    pthread_mutex_t m;
    pthread_cond_t c;
    pthread_rwlock_t rw;
    sem_t s;
    pthread_once_t once;
};

static int calls;

static void count(void)
{
    calls++;
}

static void use(struct all *all)
{
    assert(pthread_mutex_lock(&all->m) == 0);
    assert(pthread_mutex_unlock(&all->m) == 0);
    assert(pthread_cond_signal(&all->c) == 0);
    assert(pthread_rwlock_rdlock(&all->rw) == 0);
    assert(pthread_rwlock_unlock(&all->rw) == 0);
    assert(sem_post(&all->s) == 0);
    assert(sem_wait(&all->s) == 0);
    assert(pthread_once(&all->once, count) == 0);
}

int main(void)
{
    struct all local;
    struct all *heap = calloc(1, sizeof *heap);
    use(heap);
    free(heap);
    memset(&local, 0, sizeof local);
    use(&local);
    assert(calls == 2);
    return 0;
}

//@ known: order lock-misuse unknown(unsupported)
