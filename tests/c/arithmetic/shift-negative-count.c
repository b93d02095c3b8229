//@ property: shift verdict: unsafe line: 4
// A negative shift count.
static int scale(int x, int by) {
    return by > 0 ? x << by : x >> by;
}

int main(void) {
    scale(5, 3);
    scale(5, 0);
    scale(40, -3);
    return 0;
}
