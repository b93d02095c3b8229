//@ property: assertion verdict: unsafe line: 29
// One takes the lock, another gives it back: the section does not last until the thread gives it back itself.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int inside, open;

static void *holder(void *arg) {
    pthread_mutex_lock(&m);
    inside = 1;
    open = 1;
    inside = 0;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *helper(void *arg) {
    if (open)
        pthread_mutex_unlock(&m);
    return 0;
}

static void *visitor(void *arg) {
    pthread_mutex_lock(&m);
    int seen = inside, after = open;
    if (seen)
        // The holder has not left.
        assert(!after);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, holder, 0);
    pthread_create(&b, 0, helper, 0);
    pthread_create(&c, 0, visitor, 0);
    return pthread_join(a, 0);
}
