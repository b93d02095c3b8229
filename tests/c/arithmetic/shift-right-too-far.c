//@ property: shift verdict: unsafe line: 8
// Right shifts have the same limits; here by compound assignment on a char, which is int-wide.
int main(void) {
    unsigned char c = 255;
    c >>= 8;
    c = 255;
    c >>= 31;
    c >>= 32;
    return c;
}
