//@ property: all verdict: safe
//@ property: out-of-bounds verdict: unsafe line: 8
// The product of index and size wraps around, to an address inside the array.
static int values[8];

int main(void) {
    unsigned long i = 0x4000000000000001;
    return values[i];
}
