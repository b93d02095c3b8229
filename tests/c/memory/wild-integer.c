//@ property: null-deref verdict: unsafe line: 6
// An integer that is no object's address.
int main(void) {
    long address = 0x10;
    volatile int *p = (int *)address;
    return *p;
}
