// Exit handlers, thread-specific data, a function called once, a comparison called by the library.
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
#include <assert.h>

static pthread_key_t key;
static int freed;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void bye(void) {
    assert(freed == 1);
}

static void destroy(void *p) {
    freed++;
    free(p);
}

static void init(void) {
    pthread_key_create(&key, destroy);
}

static int cmp(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void *t(void *a) {
    pthread_once(&once, init);
    pthread_setspecific(key, malloc(4));
    int v[3] = { 3, 1, 2 };
    qsort(v, 3, sizeof *v, cmp);
    assert(v[0] == 1);
    pthread_exit(a);
}

int main(void) {
    pthread_t p;
    atexit(bye);
    pthread_once(&once, init);
    pthread_create(&p, 0, t, 0);
    pthread_join(p, 0);
    printf("%d\n", freed);
    return 0;
}
