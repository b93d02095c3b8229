//@ property: all verdict: safe
// How many pointers are copied is known only when the program runs.
#include <assert.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int x, y;

int main(void)
{
    int *from[4] = { &x, &y, &x, &y };
    int *to[4] = { 0 };
    unsigned long count = __VERIFIER_nondet_bool() + 2ul * __VERIFIER_nondet_bool();
    memcpy(to, from, count * sizeof *to);
    for (unsigned long i = 0; i < count; i++)
        *to[i] = 1;
    if (count > 1)
        assert(x == 1 && y == 1);
    return 0;
}

//@ known: order all unknown(loop-bound)
