//@ property: signed-overflow,division-by-zero verdict: safe
//@ property: shift verdict: unsafe line: 7
// 1 << 31 is not representable in int.
int main(void) {
    int flags = 0;
    for (int bit = 28; bit < 32; bit++)
        flags |= 1 << bit;
    return flags == 0;
}
