//@ property: memory,signed-overflow,shift,division-by-zero,memory-leak verdict: safe
//@ property: assertion verdict: unsafe line: 11
//@ exit: 134
// A failing assertion in the third iteration.
#include <assert.h>
#include <stdio.h>

int main(void) {
    for (int i = 0; i < 5; i++) {
        printf("%d\n", i);
        assert(i * i != 4);
    }
    return 0;
}
