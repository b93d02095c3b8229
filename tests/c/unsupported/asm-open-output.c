//@ unsupported: 5 output that nothing determines
// A register that no input determines.
int main(void) {
    int x;
    asm("" : "=r"(x));
    return x;
}
