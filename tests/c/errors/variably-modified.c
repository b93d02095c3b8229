//@ error: 4 variably-modified
// A static object of variable length.
static int f(int n) {
    static int a[n];
    return a[0];
}

int main(void) { return f(3); }
