//@ property: deadlock verdict: safe
// Two attempts fail one after the other while the other thread holds both mutexes.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
    while (!done) {
        if (pthread_mutex_trylock(&first) == 0) {
            pthread_mutex_unlock(&first);
        } else if (pthread_mutex_trylock(&second) == 0) {
            pthread_mutex_unlock(&second);
        } else {
            done = 1;
        }
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    while (!done) {
        pthread_mutex_lock(&first);
        pthread_mutex_lock(&second);
        pthread_mutex_unlock(&second);
        pthread_mutex_unlock(&first);
    }
    pthread_join(thread, 0);
    return 0;
}
//@ known: order deadlock unknown(loop-bound)
