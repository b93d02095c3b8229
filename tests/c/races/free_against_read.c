//@ property: all verdict: safe
//@ run: gcc
// The pointer is followed under the mutex; who frees has taken it out before.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *look(void *unused)
{
    int value = 0;
    pthread_mutex_lock(&mutex);
    int *seen = shared;
    if (seen)
        value = *seen;
    pthread_mutex_unlock(&mutex);
    return value == 7 ? &mutex : unused;
}

int main(void)
{
    pthread_t thread;
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_create(&thread, 0, look, 0);
    pthread_mutex_lock(&mutex);
    int *taken = shared;
    shared = 0;
    pthread_mutex_unlock(&mutex);
    free(taken);
    pthread_join(thread, 0);
    return 0;
}
