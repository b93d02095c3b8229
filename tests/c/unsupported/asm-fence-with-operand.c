//@ unsupported: 5 inline assembly
// A text that changes memory: zero is added, but atomically to a variable of the program.
int main(void) {
    int x = 1;
    asm volatile("lock; addl $0,%0" : "+m"(x));
    return x;
}
