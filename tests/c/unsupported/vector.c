//@ unsupported: 9 vector
// GNU vector types.
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));

int main(void) {
    puts("before");
    v4 a = {1, 2, 3, 4};
    a += a;
    printf("%d\n", a[2]);
    return 0;
}
