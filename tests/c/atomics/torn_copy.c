//@ property: data-race verdict: unsafe
//@ property: assertion verdict: unsafe line: 25
//@ property: deadlock,lock-misuse,memory verdict: safe
// A struct is not copied at once.
#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
};

static struct pair shared;

static void *write(void *arg) {
    struct pair fresh = {1, 1};
    shared = fresh;
    return 0;
}
int main(void) {
    pthread_t t;
    struct pair seen;
    pthread_create(&t, 0, write, 0);
    seen = shared;
    pthread_join(t, 0);
    assert(seen.a == seen.b);
    return 0;
}
