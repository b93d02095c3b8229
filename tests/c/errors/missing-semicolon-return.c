//@ error: 4 syntax
// At the end of a block.
int twice(int x) {
    return x * 2
}

int main(void) { return twice(0); }
