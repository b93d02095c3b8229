//@ property: all verdict: safe
//@ run: gcc
//@ model: mtx_init mtx_destroy mtx_lock mtx_trylock mtx_timedlock mtx_unlock
// Plain, timed and recursive mutexes.
#include <assert.h>
#include <threads.h>

static mtx_t plain, timed, recursive;
static int x;

static int work(void *arg) {
    const struct timespec past = {.tv_sec = 1};
    mtx_lock(&plain);
    x++;
    mtx_unlock(&plain);
    assert(mtx_trylock(&timed) == thrd_busy);
    assert(mtx_timedlock(&timed, &past) == thrd_timedout);
    assert(mtx_trylock(&recursive) == thrd_success);
    assert(mtx_lock(&recursive) == thrd_success);
    mtx_unlock(&recursive);
    mtx_unlock(&recursive);
    return 0;
}

int main(void) {
    thrd_t t;
    assert(mtx_init(&plain, mtx_plain) == thrd_success);
    assert(mtx_init(&timed, mtx_timed) == thrd_success);
    assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
    mtx_lock(&timed);
    thrd_create(&t, work, 0);
    mtx_lock(&plain);
    x++;
    mtx_unlock(&plain);
    thrd_join(t, 0);
    mtx_unlock(&timed);
    assert(x == 2);
    mtx_destroy(&plain);
    mtx_destroy(&timed);
    mtx_destroy(&recursive);
    return 0;
}
