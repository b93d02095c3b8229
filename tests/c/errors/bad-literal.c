//@ error: 7:13 bad-literal
//@ error: 8:13 bad-literal
//@ error: 9:16 bad-literal
//@ error: 10:13 bad-literal
// Numbers that are none.
int main(void) {
    int a = 08;
    int b = 0x;
    double c = 1.5zz;
    int d = 0xe+1;
    return a + b + (int)c + d;
}
