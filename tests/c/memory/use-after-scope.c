//@ property: use-after-free verdict: unsafe line: 11
// A pointer to a block's variable used after the block.
int main(void) {
    int *p;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int local = i;
        p = &local;
        sum += *p;
    }
    return sum + *p;
}
