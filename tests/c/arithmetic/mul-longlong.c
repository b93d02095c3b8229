//@ property: signed-overflow verdict: unsafe line: 4
// A factorial in long long.
static long long factorial(int n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}

int main(void) {
    if (factorial(20) != 2432902008176640000)
        return 1;
    return factorial(21) > 0;
}
