//@ property: assertion verdict: unsafe line: 11
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
//@ model: assert __VERIFIER_assert
// Verification programs call it without the header.
_Bool nondet_bool(void);
void __VERIFIER_assert(int cond);

int main(void) {
    _Bool b = nondet_bool();
    __VERIFIER_assert(b || !b);
    assert(b);
    return 0;
}
