/* WORKERS threads take jobs from a queue, which holds JOBS of them, until each has had one or the queue is empty. Looking
   for a job and taking it is one section of a mutex.
   Unsafe: these are two sections, so the job that a worker has seen can be gone when it takes one. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int first, last, queue[JOBS], done[JOBS];

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    int empty = first >= last;
#if UNSAFE
    pthread_mutex_unlock(&mutex);
    if (empty)
        return unused;
    pthread_mutex_lock(&mutex);
#endif
    int job = -1;
    if (!empty) {
        assert(first < last);
        job = queue[first++];
    }
    pthread_mutex_unlock(&mutex);
    if (job >= 0)
        done[job] = 1;
    return unused;
}

int main(void)
{
    pthread_t workers[WORKERS];
    for (last = 0; last < JOBS; last++)
        queue[last] = last;
    for (int t = 0; t < WORKERS; t++)
        pthread_create(&workers[t], 0, work, 0);
    for (int t = 0; t < WORKERS; t++)
        pthread_join(workers[t], 0);
    return 0;
}
