//@ property: signed-overflow verdict: unsafe line: 5
// unsigned short promotes to int, so the product overflows although both operands are unsigned.
int main(void) {
    unsigned short big = 65535;
    unsigned product = big * big;
    return product == 1;
}
