//@ property: null-deref verdict: unsafe line: 10
// Calling through an entry of a table that was never filled.
typedef int handler(int);
static int twice(int x) { return 2 * x; }
static handler *table[3] = {twice, [2] = twice};

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += table[i](i);
    return sum;
}
