// The address of an object of an earlier iteration.
static int pick(int n) {
    int *p = &n, s = 0;
    for (int i = 0; i < 2; i++) {
        int in = i + 3;
        s += *p;
        if (i == n) p = &in;
    }
    return s;
}

int main(void) {
    if (pick(5) != 10) return 1;
    return pick(0);
}
