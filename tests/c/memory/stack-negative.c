//@ property: out-of-bounds verdict: unsafe line: 4
// A negative index into a parameter array.
static int previous(const int *a, int i) {
    return a[i - 1];
}

int main(void) {
    int a[3] = {1, 2, 3};
    if (previous(a, 1) != 1)
        return 1;
    return previous(a, 0);
}
