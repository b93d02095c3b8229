//@ property: assertion verdict: unsafe
//@ property: memory-cleanup verdict: safe
//@ property: data-race verdict: unsafe
//@ model: __CPROVER_fence
// A label of CBMC's starts a thread: the call runs beside what follows.
#include <assert.h>

void __CPROVER_assume(_Bool);
void __CPROVER_fence(const char *kind, ...);

static int shared;

static void add(int by)
{
    shared += by;
}

int main(void)
{
__CPROVER_ASYNC_1:
    add(2);
    shared++;
    __CPROVER_fence("WWfence");
    __CPROVER_assume(shared != 1);
    assert(shared == 3);
    return 0;
}
