//@ error: 9 undefined-label
// A goto to a label of another function.
static int f(void) {
there:
    return 1;
}

int main(void) {
    goto there;
    return f();
}
