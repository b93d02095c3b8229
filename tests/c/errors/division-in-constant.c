//@ error: 3 division-by-zero
// Division by zero in a constant expression.
enum { ZERO = 0, BAD = 5 / ZERO };

int main(void) { return BAD; }
