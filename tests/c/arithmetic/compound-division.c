//@ property: division-by-zero verdict: unsafe line: 8
// Compound division of a long long by a zero that comes from a truncated double.
int main(void) {
    long long value = 100;
    double half = 0.5;
    int divisor = half;
    value /= 7;
    value %= divisor;
    return value;
}
