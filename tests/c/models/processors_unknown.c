//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 9
// The number of processors is not known: a machine may have one.
#include <assert.h>
#include <unistd.h>

int main(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    assert(n > 1);
    return 0;
}

//@ known: explicit memory,misuse,data-race,deadlock,memory-leak,memory-cleanup,division-by-zero,signed-overflow,shift unknown(cut)
