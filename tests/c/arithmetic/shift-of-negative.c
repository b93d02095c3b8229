//@ property: signed-overflow,division-by-zero verdict: safe
//@ property: shift verdict: unsafe line: 7
// The left shift of a negative value; the right shift is fine.
int main(void) {
    int x = -4;
    int right = x >> 1;
    return right + (x << 1) == 0;
}
