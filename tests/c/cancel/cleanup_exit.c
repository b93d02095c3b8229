//@ property: all verdict: safe
//@ run: gcc
// pthread_exit runs the handlers that are pending, the innermost first, across calls.
#include <assert.h>
#include <pthread.h>

static int log[4];
static int count;

static void note(void *arg) {
    log[count++] = (int)(long)arg;
}

static void leave(void) {
    pthread_cleanup_push(note, (void *)3);
    pthread_exit(0);
    pthread_cleanup_pop(0);
}

static void *work(void *arg) {
    pthread_cleanup_push(note, (void *)1);
    pthread_cleanup_push(note, (void *)2);
    pthread_cleanup_pop(0);
    leave();
    pthread_cleanup_pop(0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(count == 2 && log[0] == 3 && log[1] == 1);
    return 0;
}
