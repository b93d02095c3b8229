//@ property: null-deref verdict: unsafe line: 23
// A pointer that is set on some paths only: on the others it is an arbitrary number. That it might be the address of 'x'
// is no execution of the program, so 'x' is not written; but following it is wrong.
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int x, y;

int main(void)
{
    int *p;
    int which = __VERIFIER_nondet_bool() + 2 * __VERIFIER_nondet_bool();
    if (which == 0)
        p = &y;
    if (which == 1) {
        p = &x;
        x = 0;
    }
    if (which == 1)
        return 0;
    if (which != 2 || y == 0)
        *p = 1;
    assert(x == 0);
    return 0;
}
