//@ property: signed-overflow verdict: unsafe line: 5
//@ flags: --32
// A sum of longs that fits in 64 bits but not in ILP32's long.
static long add(long a, long b) {
    return a + b;
}

int main(void) {
    long big = 2000000000;
    return add(big, big) == 0;
}
