//@ property: assertion verdict: unsafe line: 13
//@ model: __VERIFIER_nondet_memory
// Bytes of an object made arbitrary.
#include <assert.h>
#include <stddef.h>

void __VERIFIER_nondet_memory(void *memory, size_t size);

int main(void) {
    unsigned char a[3] = {7, 7, 7};
    __VERIFIER_nondet_memory(a, 2);
    assert(a[2] == 7);
    assert(a[0] != 1 || a[1] != 255);
    return 0;
}
