//@ error: 10 lvalue-required
//@ error: 11 lvalue-required
//@ error: 12 lvalue-required
//@ error: 13 lvalue-required
// Assigning to, incrementing and taking the address of values.
static int f(void) { return 1; }

int main(void) {
    int a = 1, b = 2;
    a + b = 3;
    f()++;
    int *p = &(a + 1);
    5 = a;
    return *p;
}
