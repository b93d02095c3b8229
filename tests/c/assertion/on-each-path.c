//@ property: memory,division-by-zero,signed-overflow,shift verdict: safe
//@ property: assertion verdict: unsafe line: 10
//@ exit: 134
//@ args: 3 x
// The assertion depends on the arguments given.
#include <assert.h>
#include <stdlib.h>

static int depth(const char *s) {
    assert(s[0] >= '0' && s[0] <= '9');
    return atoi(s);
}

int main(int argc, char **argv) {
    int sum = 0;
    for (int i = 1; i < argc; i++)
        sum += depth(argv[i]);
    return sum;
}
