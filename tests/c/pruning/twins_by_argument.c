//@ property: assertion verdict: unsafe line: 22
//@ property: data-race,deadlock verdict: safe
// Threads of one function that are told different things are no twins: the later one may be the first.
#include <assert.h>
#include <pthread.h>

static _Atomic long x;

static void *set(void *value) {
    x = (long)value;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, set, (void *)1);
    pthread_create(&b, 0, set, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    long last = x;
    // The first one may have been last.
    assert(last == 2);
    return 0;
}
