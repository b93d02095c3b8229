// A thread that is cancelled in an endless loop, with a cleanup handler.
#include <pthread.h>
#include <unistd.h>
#include <assert.h>

int x;

static void clean(void *a) {
    x = 1;
}

static void *t(void *a) {
    pthread_cleanup_push(clean, 0);
    for (;;) {
        pthread_testcancel();
    }
    pthread_cleanup_pop(0);
    return 0;
}

int main(void) {
    pthread_t p;
    void *r;
    pthread_create(&p, 0, t, 0);
    pthread_cancel(p);
    pthread_join(p, &r);
    assert(r == PTHREAD_CANCELED);
    assert(x == 0);
    return 0;
}
