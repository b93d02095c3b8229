//@ property: all verdict: safe
//@ model: __braid_uninterpreted
// Nothing is known of these but that they are functions: same arguments, same value.
#include <assert.h>
int __CPROVER_uninterpreted_f(int, long);
_Bool __CPROVER_uninterpreted_p(unsigned char);
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int() & 1, y = __VERIFIER_nondet_int() & 1;
    if (x == y)
        assert(__CPROVER_uninterpreted_f(x, 1) == __CPROVER_uninterpreted_f(y, 1));
    _Bool p = __CPROVER_uninterpreted_p(3);
    assert((p == 0 || p == 1) && p == __CPROVER_uninterpreted_p(3 + 256));
    return 0;
}

//@ known: explicit all unknown(cut)
