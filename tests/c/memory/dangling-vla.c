//@ property: use-after-free verdict: unsafe line: 11
// A variable-length array ends with its block as well.
static int last_of(int n) {
    int *p = 0;
    {
        int a[n];
        for (int i = 0; i < n; i++)
            a[i] = i;
        p = a;
    }
    return p[n - 1];
}

int main(void) { return last_of(4); }
