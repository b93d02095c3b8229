//@ error: 5 array-assignment
// Arrays are not assigned.
int main(void) {
    int a[3] = {1, 2, 3}, b[3];
    b = a;
    return b[0];
}
