//@ error: 6:16 undeclared-name
//@ error: 11:16 undeclared-name
//@ error: 16:37 undeclared-name
// Several independent errors in one run.
static int area(int w, int h) {
    return w * hight;
}
static int sum(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[j];
    return s;
}
int main(void) {
    int a[2] = {1, 2};
    return area(1, 2) + sum(a, 2) + undefined_thing;
}
