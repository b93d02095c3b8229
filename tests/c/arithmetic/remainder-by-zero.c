//@ property: division-by-zero verdict: unsafe line: 7
// Unsigned remainder by a value that wraps to zero.
int main(void) {
    unsigned char step = 250;
    unsigned total = 0;
    while (1) {
        total += 1000u % step;
        step += 2;
    }
    return total;
}

//@ known: order division-by-zero unknown(loop-bound)
