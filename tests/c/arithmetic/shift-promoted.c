//@ property: shift verdict: unsafe line: 4
// A byte is promoted to int, so shifting it by 24 may reach the sign bit.
static unsigned load(const unsigned char *b) {
    return b[0] | b[1] << 8 | b[2] << 16 | b[3] << 24;
}

int main(void) {
    unsigned char small[] = {1, 2, 3, 0x7f}, large[] = {1, 2, 3, 0x80};
    if (load(small) != 0x7f030201)
        return 1;
    return load(large) == 0;
}
