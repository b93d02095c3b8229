//@ property: assertion verdict: unsafe line: 24
// Who takes no lock sees the middle of a section.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int x, y;

static void *inside(void *arg) {
    pthread_mutex_lock(&m);
    x = 5;
    y = 1;
    x = 0;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *outside(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    int early = y;
    int seen = x;
    // The section is half done.
    assert(seen == 0 || early);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, inside, 0);
    pthread_create(&b, 0, outside, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
