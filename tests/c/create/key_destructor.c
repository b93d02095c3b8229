//@ property: all verdict: safe
//@ run: gcc
// A destructor runs at the end of each thread that has a value, not at the end of the program.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void *value) {
    destroyed += *(int *)value;
    assert(pthread_getspecific(key) == 0);
    free(value);
}

static void *returns(void *arg) {
    int *n = malloc(sizeof *n);
    *n = 1;
    pthread_setspecific(key, n);
    return 0;
}

static void *exits(void *arg) {
    int *n = malloc(sizeof *n);
    *n = 2;
    pthread_setspecific(key, n);
    pthread_exit(0);
}

static void *has_none(void *arg) {
    return 0;
}

int main(void) {
    int own = 4;
    void *(*routines[3])(void *) = {returns, exits, has_none};
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &own);
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        pthread_create(&t, 0, routines[i], 0);
        pthread_join(t, 0);
    }
    assert(destroyed == 3);
    return 0;
}
