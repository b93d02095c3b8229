//@ error: 6:13 bad-literal
//@ error: 7:13 bad-literal
//@ error: 8:16 bad-literal
// Numbers that are none.
int main(void) {
    int a = 08;
    int b = 0x;
    double c = 1.5zz;
    return a + b + (int)c;
}
