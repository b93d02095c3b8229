//@ property: all verdict: safe
//@ run: gcc
//@ model: call_once
// call_once runs its function once.
#include <assert.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static int runs;

static void init(void) {
    runs++;
}

static int work(void *arg) {
    call_once(&flag, init);
    assert(runs == 1);
    return 0;
}

int main(void) {
    thrd_t t;
    thrd_create(&t, work, 0);
    work(0);
    thrd_join(t, 0);
    return 0;
}
