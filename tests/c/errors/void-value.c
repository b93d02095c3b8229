//@ error: 8 void-value
//@ error: 9 void-value
// The result of a void function used.
static void nothing(void) {}
static int take(int x) { return x; }

int main(void) {
    int x = nothing();
    return x + take(nothing());
}
