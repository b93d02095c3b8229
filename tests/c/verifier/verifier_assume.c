//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ model: __VERIFIER_assume __CPROVER_assume __ESBMC_assume
// What is assumed holds from there on.
#include <assert.h>

_Bool nondet_bool(void);
void __VERIFIER_assume(int cond);
void __CPROVER_assume(_Bool cond);
void __ESBMC_assume(_Bool cond);

int main(void) {
    _Bool a = nondet_bool(), b = nondet_bool(), c = nondet_bool();
    __VERIFIER_assume(a);
    __CPROVER_assume(!b);
    __ESBMC_assume(a != c);
    assert(a && !b && !c);
    return 0;
}
