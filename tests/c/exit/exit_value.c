//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_exit
// pthread_exit ends the thread from any depth of calls, with a value.
#include <assert.h>
#include <pthread.h>

static int token;

static void deep(int n) {
    if (n == 0)
        pthread_exit(&token);
    deep(n - 1);
}

static void *run(void *arg) {
    deep(3);
    assert(0);
    return 0;
}

int main(void) {
    pthread_t t;
    void *result = 0;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, &result);
    assert(result == &token);
    return 0;
}
