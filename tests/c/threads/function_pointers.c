//@ property: all verdict: safe
//@ run: gcc
// Start routines and library functions through pointers.
#include <assert.h>
#include <pthread.h>

static int x;

static int (*const take)(pthread_mutex_t *) = pthread_mutex_lock;
static int (*const give)(pthread_mutex_t *) = pthread_mutex_unlock;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg) {
    take(&m);
    x += 1;
    give(&m);
    return 0;
}

static void *two(void *arg) {
    take(&m);
    x += 2;
    give(&m);
    return 0;
}

int main(void) {
    void *(*routines[])(void *) = {one, two};
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, routines[i], 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 3);
    return 0;
}
