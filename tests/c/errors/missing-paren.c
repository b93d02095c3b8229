//@ error: 5 syntax
// An unclosed parenthesis in a condition.
int main(void) {
    int x = 1;
    if ((x > 0) && (x < 5) {
        x++;
    }
    return x;
}
