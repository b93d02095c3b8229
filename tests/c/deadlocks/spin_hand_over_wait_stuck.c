//@ property: deadlock verdict: unsafe line: 23
// Main gives away a lock in its round, but the other thread waits for something else.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;
static int done;

static void *run(void *arg)
{
    sem_wait(&never);
    done = 1;
    return arg;
}

static void wait_until_done(void)
{
    int seen;
    do {
        pthread_mutex_lock(&second);
        pthread_mutex_unlock(&first);
        seen = done;
        pthread_mutex_lock(&first);
        pthread_mutex_unlock(&second);
    } while (!seen);
}

int main(void)
{
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_mutex_lock(&first);
    pthread_create(&thread, 0, run, 0);
    wait_until_done();
    pthread_mutex_unlock(&first);
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(unsupported)
