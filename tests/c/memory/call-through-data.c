//@ property: null-deref verdict: unsafe line: 10
// Calling an address where no function is.
typedef int fn(void);
static int fine(void) { return 0; }

int main(void) {
    fn *f = fine;
    f();
    f = (fn *)0x1234;
    return f();
}
