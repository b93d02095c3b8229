//@ error: 6:1 syntax
// One brace too many.
int f(void) {
    return 1;
}
}

int main(void) { return f(); }
