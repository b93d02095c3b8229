//@ error: 5 not-a-function
// Calling a variable.
int main(void) {
    int total = 5;
    return total(3);
}
