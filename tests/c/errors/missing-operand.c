//@ error: 6:13 syntax
//@ error: 8:14 syntax
// Expressions that lack an operand; both statements are reported.
int main(void) {
    int a = 1, b;
    b = a + ;
    b = 2;
    a = (b * );
    return a;
}
