//@ property: out-of-bounds verdict: unsafe line: 6
// A local array written past its end although a neighbour follows.
int main(void) {
    int before = 1, a[4] = {0}, after = 2;
    for (int i = 0; i < 5; i++)
        a[i] = i;
    return before + after + a[0];
}
