//@ error: 3:19 unknown-type
// In a parameter list.
static int length(string s, int n) {
    return n;
}

int main(void) { return 0; }
