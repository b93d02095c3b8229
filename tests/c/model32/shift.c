//@ property: shift verdict: unsafe line: 8
//@ flags: --32
// Shifting a long by 32 is in range under LP64, not under ILP32.
int main(void) {
    int count = 32;
    unsigned long one = 1;
    unsigned long long wide = 1ull << count;
    return (int)(one << count) + (wide == 0);
}
