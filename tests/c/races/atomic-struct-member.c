//@ property: all verdict: safe
//@ warning: 13 atomic-member
//@ warning: 14 atomic-member
//@ warning: 21 atomic-member
//@ warning: 24 atomic-member
// Members of an atomic structure are accessed atomically, one by one, as in gcc.
#include <assert.h>
#include <pthread.h>

struct pair { int x, y; };
static _Atomic struct pair pair, *also = &pair;

static void *writer(void *unused) { pair.x = 1;
    also->y = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    // Another thread may be writing.
    int seen = pair.x;
    assert(seen == 0 || seen == 1);
    pthread_join(thread, 0);
    assert(also->y == 2);
    return 0;
}
