//@ property: assertion verdict: unsafe line: 10
//@ exit: 134
// __assert_fail called directly, as in preprocessed programs.
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));

int main(void) {
    int sum = 0;
    for (int i = 0; i <= 4; i++)
        sum += i;
    ((sum != 10) ? (void)0 : __assert_fail("sum != 10", "x.c", 3, "main"));
    return 0;
}
