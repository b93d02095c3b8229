//@ error: 4 syntax
// The error stands where the semicolon should be, not on the next line.
int main(void) {
    int x = 5
    int y = 6;
    return x + y;
}
