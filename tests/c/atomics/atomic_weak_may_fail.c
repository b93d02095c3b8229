//@ property: assertion verdict: unsafe line: 11
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// A weak compare-and-exchange may fail for no reason.
#include <assert.h>
#include <stdatomic.h>

static atomic_int x = 1;

int main(void) {
    int old = 1;
    assert(atomic_compare_exchange_weak(&x, &old, 2));
    return 0;
}
