//@ property: all verdict: safe
//@ run: gcc
//@ model: tss_create tss_delete tss_get tss_set
// Thread-specific storage, with a destructor.
#include <assert.h>
#include <threads.h>

static tss_t key;
static int destroyed, value;

static void destroy(void *p) {
    destroyed += *(int *)p;
}

static int work(void *arg) {
    assert(tss_get(key) == 0);
    assert(tss_set(key, &value) == thrd_success);
    assert(tss_get(key) == &value);
    return -3;
}

int main(void) {
    thrd_t t;
    int result = 0;
    value = 5;
    assert(tss_create(&key, destroy) == thrd_success);
    thrd_create(&t, work, 0);
    thrd_join(t, &result);
    assert(destroyed == 5 && tss_get(key) == 0 && result == -3);
    tss_delete(key);
    return 0;
}
