//@ error: 6 unterminated-literal
// A string literal that ends with the line.
extern int puts(const char *);

int main(void) {
    puts("no end);
    return 0;
}
