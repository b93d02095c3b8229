//@ property: data-race verdict: unsafe line: 56
// What the job does is looked at before its worker is joined. Lines 56 and 75 race.
#include <pthread.h>
#include <stdlib.h>

struct job {
    void (*run)(void *);
    void *arg;
    struct job *next;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t some;
    struct job *first;
    int stop;
};

struct worker {
    pthread_t thread;
    struct pool *pool;
};

static void *serve(void *arg)
{
    struct pool *pool = ((struct worker *)arg)->pool;
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        while (!pool->first && !pool->stop)
            pthread_cond_wait(&pool->some, &pool->lock);
        struct job *job = pool->first;
        if (job)
            pool->first = job->next;
        pthread_mutex_unlock(&pool->lock);
        if (!job)
            return 0;
        job->run(job->arg);
        free(job);
    }
}

static void add(struct pool *pool, void (*run)(void *), void *arg)
{
    struct job *job = malloc(sizeof *job);
    job->run = run;
    job->arg = arg;
    pthread_mutex_lock(&pool->lock);
    job->next = pool->first;
    pool->first = job;
    pthread_cond_signal(&pool->some);
    pthread_mutex_unlock(&pool->lock);
}

static void set(void *arg)
{
    *(int *)arg = 1;
}

int main(void)
{
    int x = 0;
    struct pool *pool = malloc(sizeof *pool);
    struct worker *worker = malloc(sizeof *worker);
    pthread_mutex_init(&pool->lock, 0);
    pthread_cond_init(&pool->some, 0);
    pool->first = 0;
    pool->stop = 0;
    worker->pool = pool;
    pthread_create(&worker->thread, 0, serve, worker);
    add(pool, set, &x);
    pthread_mutex_lock(&pool->lock);
    pool->stop = 1;
    pthread_cond_signal(&pool->some);
    pthread_mutex_unlock(&pool->lock);
    int seen = x;
    pthread_join(worker->thread, 0);
    free(worker);
    free(pool);
    return seen != 1;
}
