//@ error: 5:5 undeclared-name
// Used three times, reported once.
int main(void) {
    int count = 0;
    cuont = 5;
    cuont++;
    return count + cuont;
}
