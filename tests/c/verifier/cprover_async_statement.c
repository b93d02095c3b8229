//@ property: assertion verdict: unsafe line: 25
//@ property: deadlock,memory,signed-overflow verdict: safe
// CBMC's labels before statements: the thread has copies of the local variables that it reads.
#include <assert.h>

void __CPROVER_assume(_Bool condition);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);

int sum, done;

int main(void) {
    int first = 2;
    char second = 3;
    __CPROVER_ASYNC_1: {
        int both = first + second;
        sum = sum + both;
        __CPROVER_atomic_begin();
        done++;
        __CPROVER_atomic_end();
    }
    first = 100;
    __CPROVER_ASYNC_2: sum = sum + first, __CPROVER_atomic_begin(), done++, __CPROVER_atomic_end();
    __CPROVER_assume(done == 2);
    assert(sum == 105);
    assert(sum == 105 || sum == 5 || sum == 100);
    return 0;
}
