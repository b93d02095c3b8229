//@ error: 6 syntax
//@ error: 9 syntax
//@ error: 14 syntax
// After a syntax error the rest of the file is still read, without a cascade.
static int first(int x) {
    return x + ;
}
static int second(int x) {
    int y = (x + 1;
    y++;
    return y;
}
static int third(int x) {
    x = [3];
    return x;
}

int main(void) {
    return first(1) + second(2) + third(1);
}
