//@ property: use-after-free verdict: unsafe line: 11
// alloca memory ends with its function.
static char *make(int n) {
    char *p = __builtin_alloca(n);
    p[0] = 'x';
    return p;
}

int main(void) {
    char *p = make(8);
    return p[0] == 'y';
}
