//@ property: null-deref verdict: unsafe line: 20
// Of an array of pointers in the heap a part is set; another part is followed.
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int x, y;

int main(void)
{
    int **table = malloc(8 * sizeof *table);
    table[0] = &y;
    table[1] = &x;
    table[2] = &y;
    int index = __VERIFIER_nondet_bool() + 2 * __VERIFIER_nondet_bool();
    if (index == 1 || index > 3)
        return 0;
    /* index 3 was never set */
    *table[index] = 1;
    assert(x == 0);
    free(table);
    return 0;
}
