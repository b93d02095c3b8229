//@ property: all verdict: safe
//@ run: gcc
//@ model: cnd_init cnd_destroy cnd_wait cnd_timedwait cnd_signal cnd_broadcast
// Condition variables of C11.
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int go, back;

static int work(void *arg) {
    mtx_lock(&m);
    while (!go)
        cnd_wait(&c, &m);
    back = 1;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    const struct timespec past = {.tv_sec = 1};
    thrd_t t;
    mtx_init(&m, mtx_plain);
    assert(cnd_init(&c) == thrd_success);
    mtx_lock(&m);
    assert(cnd_timedwait(&c, &m, &past) == thrd_timedout);
    mtx_unlock(&m);
    thrd_create(&t, work, 0);
    mtx_lock(&m);
    go = 1;
    cnd_signal(&c);
    while (!back)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    thrd_join(t, 0);
    cnd_destroy(&c);
    mtx_destroy(&m);
    return 0;
}
