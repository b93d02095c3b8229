//@ property: all verdict: safe
//@ run: gcc
// GNU C: empty structs have size zero and may be members, arguments and results.
#include <stdio.h>

struct empty {};
struct with { int a; struct empty e; int b; };
struct only_array { int none[0]; };

static struct empty pass(struct empty e, int x) {
    printf("pass %d\n", x);
    return e;
}

int main(void) {
    printf("%zu %zu %zu\n", sizeof(struct empty), sizeof(struct with), sizeof(struct only_array));
    struct empty e, f;
    e = f;
    e = pass(e, 3);
    struct with w = {1, {}, 2};
    printf("%d %d\n", w.a, w.b);
    struct empty many[10];
    printf("%zu\n", sizeof many);
    (void)many;
    return 0;
}
