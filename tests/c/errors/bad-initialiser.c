//@ error: 8 bad-initialiser
//@ error: 9 incompatible-types
// An array from a variable, a struct from a number.
struct s { int a, b; };

int main(void) {
    int source[3] = {1, 2, 3};
    int copy[3] = source;
    struct s s = 5;
    return copy[0] + s.a;
}
