//@ property: lock-misuse verdict: unsafe line: 17
//@ property: assertion,data-race,deadlock,memory verdict: safe
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;

int main(void)
{
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    mtx_lock(&m);
    cnd_signal(&c);
    mtx_unlock(&m);
    cnd_destroy(&c);
    assert(cnd_signal(&c) == thrd_error);
    mtx_destroy(&m);
    assert(mtx_lock(&m) == thrd_error);
    return 0;
}
