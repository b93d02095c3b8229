//@ property: all verdict: safe
//@ flags: --calls-may-fail
//@ model: __braid_printed_by_number __braid_part_printed __braid_part_written __braid_uses_ferror
// What is printed may not arrive, and the program looks at every result, or at none.
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    puts("nobody asks");
    (void)putchar('.');
    if (printf("%d", 1) < 0) assert(ferror(stdout));
    assert(!ferror(stderr));
    size_t n = fwrite("ab", 1, 2, stderr);
    assert(n == 2 || (n < 2 && ferror(stderr)));
    if (fflush(stdout) == EOF) return 1;
    ssize_t m = write(1, "ab", 2);
    assert(m == -1 || m == 1 || m == 2);
    return dprintf(2, "x") < 0 ? 2 : 0;
}

//@ known: explicit all unknown(cut)
