//@ property: lock-misuse verdict: unsafe line: 27
// A thread that tries a lock sees how often it is taken: here in three rounds, after which it releases what it does not hold.
#include <pthread.h>

void __VERIFIER_assume(int);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void see_it_taken(void)
{
    __VERIFIER_assume(pthread_mutex_trylock(&mutex) != 0);
}

static void see_it_free(void)
{
    __VERIFIER_assume(pthread_mutex_trylock(&mutex) == 0);
    pthread_mutex_unlock(&mutex);
}

static void *watch(void *arg)
{
    see_it_taken();
    see_it_free();
    see_it_taken();
    see_it_free();
    see_it_taken();
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, watch, 0);
    for (;;) {
        pthread_mutex_lock(&mutex);
        int seen = done;
        pthread_mutex_unlock(&mutex);
        if (seen)
            break;
    }
    return 0;
}
