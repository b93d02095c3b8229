//@ property: out-of-bounds verdict: unsafe line: 9
// A string function on an array without terminator.
#include <string.h>

int main(void) {
    char exact[4] = "four";
    char other[4] = "abc";
    size_t n = strlen(other);
    n += strlen(exact);
    return n == 0;
}
