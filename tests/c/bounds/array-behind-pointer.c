//@ property: all verdict: safe
//@ property: out-of-bounds verdict: unsafe line: 11
// A pointer to an array knows its length, a pointer to its element does not.
static int values[8];

int main(void) {
    int (*four)[4] = (int (*)[4])values;
    int *plain = values;
    int i = 5;
    plain[i] = 1;
    (*four)[i] = 1;
    return 0;
}
