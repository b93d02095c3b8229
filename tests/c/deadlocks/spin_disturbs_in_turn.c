//@ property: deadlock verdict: safe
// An attempt that fails makes its thread take another mutex, which the first thread then fails to get.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
    while (!done) {
        if (pthread_mutex_trylock(&first) == 0) {
            pthread_mutex_unlock(&first);
        } else {
            pthread_mutex_lock(&second);
            pthread_mutex_unlock(&second);
        }
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    for (;;) {
        pthread_mutex_lock(&first);
        pthread_mutex_unlock(&first);
        if (pthread_mutex_trylock(&second) != 0)
            break;
        pthread_mutex_unlock(&second);
    }
    done = 1;
    pthread_join(thread, 0);
    return 0;
}
//@ known: order deadlock unknown(loop-bound)
