//@ property: deadlock verdict: unsafe line: 23
// Main gives away a lock in its round. The other thread spins, too, and uses no lock.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done, asked;

static void *run(void *arg)
{
    while (!asked)
        ;
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
    pthread_mutex_lock(&first);
    pthread_create(&thread, 0, run, 0);
    wait_until_done();
    pthread_mutex_unlock(&first);
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(unsupported)
