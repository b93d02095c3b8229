//@ error: 7 syntax
//@ error: 10:16 undeclared-name
//@ error: 13 syntax
//@ error: 18 argument-count
// After a syntax error the rest of the file is still checked, without a cascade.
static int first(int x) {
    return x + ;
}
static int second(int x) {
    return x + missing;
}
static int third(int x) {
    x = [3];
    return x;
}

int main(void) {
    return first(1) + second(2) + third(1, 2);
}
