//@ property: out-of-bounds verdict: unsafe line: 5
// A table lookup with an unchecked index.
static const char *const names[] = {"zero", "one", "two"};
static int length(unsigned i) {
    const char *s = names[i];
    int n = 0;
    while (s[n])
        n++;
    return n;
}

int main(void) {
    if (length(2) != 3)
        return 1;
    return length(3);
}
