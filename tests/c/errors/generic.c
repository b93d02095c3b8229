//@ error: 5 no-generic-match
// No association fits.
int main(void) {
    double d = 1;
    return _Generic(d, int: 1, char *: 2);
}
