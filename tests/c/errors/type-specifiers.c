//@ error: 4 syntax
// Specifiers that do not go together.
int main(void) {
    long char c = 1;
    return c;
}
