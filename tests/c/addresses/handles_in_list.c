//@ property: all verdict: safe
// A thread joins others, whose handles it finds in a list.
#include <pthread.h>
#include <stdlib.h>

struct job {
    pthread_t thread;
    int value;
    struct job *next;
};

static struct job *jobs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    ((struct job *)arg)->value = 1;
    return 0;
}

static void start(void)
{
    struct job *job = malloc(sizeof *job);
    job->value = 0;
    pthread_create(&job->thread, 0, work, job);
    pthread_mutex_lock(&lock);
    job->next = jobs;
    jobs = job;
    pthread_mutex_unlock(&lock);
}

static void *collect(void *unused)
{
    pthread_mutex_lock(&lock);
    struct job *job = jobs;
    pthread_mutex_unlock(&lock);
    while (job) {
        struct job *next = job->next;
        pthread_join(job->thread, 0);
        free(job);
        job = next;
    }
    return unused;
}

int main(void)
{
    pthread_t collector;
    start();
    start();
    pthread_create(&collector, 0, collect, 0);
    pthread_join(collector, 0);
    return 0;
}
