//@ property: shift verdict: unsafe line: 8
// The count's own type matters: 2^32 is not zero.
int main(void) {
    int x = 1;
    long count = 1l << 32;
    unsigned long long wide = 1;
    wide <<= 63;
    return x << count;
}
