//@ property: shift verdict: unsafe line: 4
// A shift count equal to the width.
static unsigned mask(int bits) {
    return (1u << bits) - 1;
}

int main(void) {
    if (mask(0) != 0 || mask(31) != 0x7fffffff)
        return 1;
    return mask(32) == 0;
}
