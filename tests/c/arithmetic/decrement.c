//@ property: signed-overflow verdict: unsafe line: 10
// -- on a struct member of type long.
#include <limits.h>

struct account { long balance; };

int main(void) {
    struct account a = {LONG_MIN + 1}, *p = &a;
    p->balance--;
    p->balance--;
    return 0;
}
