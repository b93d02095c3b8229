//@ property: assertion, data-race, deadlock, lock-misuse, memory, division-by-zero verdict: safe
// Two workers take jobs from a queue under one mutex and one condition variable. Each makes a name for itself that
// nobody reads.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define WORKERS 2
#define JOBS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static int queue[JOBS], head, tail, closed, done[JOBS];
static char names[WORKERS][16];

static void *worker(void *arg)
{
    int id = *(int *)arg;
    snprintf(names[id], sizeof names[id], "worker-%d", id);
    for (;;) {
        pthread_mutex_lock(&lock);
        while (head == tail && !closed)
            pthread_cond_wait(&wake, &lock);
        if (head == tail) {
            pthread_mutex_unlock(&lock);
            return 0;
        }
        int job = queue[head++];
        pthread_mutex_unlock(&lock);
        done[job]++;
    }
}

int main(void)
{
    pthread_t threads[WORKERS];
    int ids[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        ids[i] = i;
        pthread_create(&threads[i], 0, worker, &ids[i]);
    }
    for (int job = 0; job < JOBS; job++) {
        pthread_mutex_lock(&lock);
        queue[tail++] = job;
        pthread_cond_signal(&wake);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    for (int job = 0; job < JOBS; job++)
        assert(done[job] == 1);
    return 0;
}

//@ known: order all unknown(loop-bound)
//@ known: portfolio all unknown(loop-bound)
