//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 9
// Different arguments, and different functions, may give different values.
#include <assert.h>
int __CPROVER_uninterpreted_f(int);
int __CPROVER_uninterpreted_g(int);
int main(void) {
    if (__CPROVER_uninterpreted_f(1) == __CPROVER_uninterpreted_g(1))
        assert(__CPROVER_uninterpreted_f(1) == __CPROVER_uninterpreted_f(2));
    return 0;
}

//@ known: explicit memory,misuse,data-race,deadlock,memory-leak,memory-cleanup,division-by-zero,signed-overflow,shift unknown(cut)
