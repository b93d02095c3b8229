//@ property: division-by-zero,shift verdict: safe
//@ property: signed-overflow verdict: unsafe line: 9
// LONG_MIN % -1: the quotient does not fit, so the remainder is undefined too.
#include <limits.h>

int main(void) {
    long min = LONG_MIN, minus = -1;
    long fine = (min + 1) % minus;
    return fine + min % minus;
}
