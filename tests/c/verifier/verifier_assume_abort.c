//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ model: assume_abort_if_not
// Not an assumption but an abort, which ends the program without violation.
#include <assert.h>

_Bool nondet_bool(void);
void assume_abort_if_not(int cond);

int main(void) {
    _Bool a = nondet_bool();
    assume_abort_if_not(a);
    assert(a);
    return 0;
}
