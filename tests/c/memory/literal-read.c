//@ property: out-of-bounds verdict: unsafe line: 7
// A string literal read past its terminator.
int main(void) {
    const char *s = "abc";
    int sum = 0;
    for (int i = 0; i < 6; i++)
        sum += s[i];
    return sum;
}
