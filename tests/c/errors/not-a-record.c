//@ error: 5 not-a-record
// A member of a scalar.
int main(void) {
    int x = 5;
    return x.value;
}
