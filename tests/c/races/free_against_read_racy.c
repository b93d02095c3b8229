//@ property: data-race verdict: unsafe line: 32
//@ property: assertion,deadlock,lock-misuse,null-deref,out-of-bounds,invalid-free verdict: safe
//@ property: use-after-free verdict: unsafe
// The pointer is fetched under the mutex, but followed without it. Lines 18 and 32 race.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *look(void *unused)
{
    int value = 0;
    pthread_mutex_lock(&mutex);
    int *seen = shared;
    pthread_mutex_unlock(&mutex);
    if (seen)
        value = *seen;
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
