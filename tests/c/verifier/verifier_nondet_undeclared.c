//@ property: assertion verdict: unsafe line: 11
//@ warning: 8 implicit-function
//@ warning: 9 implicit-function
// A bool is one even if the function was not declared.
#include <assert.h>

int main(void) {
    int a = nondet_bool();
    int b = __VERIFIER_nondet_bool();
    assert((a == 0 || a == 1) && (b == 0 || b == 1));
    assert(a == b);
    return 0;
}
