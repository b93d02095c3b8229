//@ error: 8 syntax
// The closing brace of the function is missing at the end of the file.
int main(void) {
    int x = 0;
    while (x < 3) {
        x++;
    return x;
}
