//@ property: assertion verdict: unsafe line: 10
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
//@ model: assert
// Verification programs call it without the header.
_Bool nondet_bool(void);

int main(void) {
    _Bool b = nondet_bool();
    assert(b || !b);
    assert(b);
    return 0;
}
