//@ unsupported: 7 arbitrary pointer value
//@ model: __VERIFIER_nondet_pointer __VERIFIER_nondet_charp __VERIFIER_nondet_const_char_pointer
// An arbitrary pointer is not modelled.
void *__VERIFIER_nondet_pointer(void);

int main(void) {
    void *p = __VERIFIER_nondet_pointer();
    return p == 0;
}
