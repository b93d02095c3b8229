//@ model: memcmp
//@ property: out-of-bounds verdict: unsafe line: 13
// Both objects must have all the bytes that are compared, even if they differ before.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *a = malloc(3), *b = malloc(5);
    memcpy(a, "ab", 3);
    memcpy(b, "abcd", 5);
    volatile int n = 4;
    int r = memcmp(a, b, n);
    free(a);
    free(b);
    return r > 0;
}
