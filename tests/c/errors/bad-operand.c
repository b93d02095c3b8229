//@ error: 13 bad-operand
//@ error: 14 bad-operand
//@ error: 15 bad-operand
//@ error: 16 bad-operand
//@ error: 17 bad-operand
// Operators on types they do not take.
struct s { int x; };

int main(void) {
    struct s s = {1}, t = {2};
    int *p = 0, *q = 0;
    double d = 1.5;
    int a = s + t;
    int *b = p + q;
    int c = d % 2;
    int e = ~d;
    int f = __builtin_isunordered(p, d);
    return a + *b + c + e + f;
}
