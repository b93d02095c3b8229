//@ property: all verdict: safe
//@ run: gcc
// Threads start threads.
#include <assert.h>
#include <pthread.h>

static void *leaf(void *arg) {
    return (char *)arg + 1;
}

static void *inner(void *arg) {
    pthread_t t;
    void *result = 0;
    pthread_create(&t, 0, leaf, (char *)arg + 1);
    pthread_join(t, &result);
    return (char *)result + 1;
}

int main(void) {
    char a[4];
    pthread_t t;
    void *result = 0;
    pthread_create(&t, 0, inner, a);
    pthread_join(t, &result);
    assert(result == a + 3);
    return 0;
}
