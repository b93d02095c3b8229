//@ error: 10 argument-count
//@ error: 11 argument-count
//@ error: 12 argument-count
// Too few, too many, and too few for a variadic function.
extern int printf(const char *, ...);
static int add(int a, int b) { return a + b; }
static int none(void) { return 1; }

int main(void) {
    int x = add(1);
    x += none(2);
    printf();
    return x;
}
