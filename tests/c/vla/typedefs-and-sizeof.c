//@ property: all verdict: safe
//@ run: gcc
// A typedef of a VLA remembers the length it had; sizeof evaluates only variable-length operands.
#include <stdio.h>

static int calls;
static int count(void) { return ++calls; }

int main(void) {
    int n = 4;
    typedef int row[n];
    n = 10;
    row a, b[2];
    printf("%zu %zu\n", sizeof a, sizeof b);
    printf("%zu\n", sizeof(row));
    printf("%zu\n", sizeof(int[n]));
    int i = 0;
    size_t s = sizeof(i++);
    printf("%zu %d\n", s, i);
    s = sizeof(char[count() + 5]);
    printf("%zu %d\n", s, calls);
    s = sizeof(char[3]) * sizeof count();
    printf("%zu %d\n", s, calls);
    row *p = &a;
    printf("%zu %td\n", sizeof *p, (char *)(p + 1) - (char *)p);
    typeof(a) c;
    n = 2;
    printf("%zu\n", sizeof c);
    typeof(int[n++]) *q = 0;
    printf("%zu %d %d\n", sizeof *q, n, q == 0);
    int x[count()][count()];
    printf("%zu %d\n", sizeof x, calls);
    return 0;
}
