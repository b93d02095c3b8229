//@ property: assertion verdict: unsafe line: 8
// A call of reach_error is the violation, whatever its body does.
extern void abort(void);
void reach_error(void) {}

static void verify(int cond) {
    if (!cond) {
        reach_error();
        abort();
    }
}

int main(void) {
    int x = 3;
    verify(x == 3);
    x++;
    verify(x == 3);
    return 0;
}
