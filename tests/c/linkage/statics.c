//@ property: all verdict: safe
//@ files: statics-a.c statics-b.c
//@ run: gcc
// Names with internal linkage are separate in each file, also functions and types.
#include <stdio.h>

static int value = 1;
static int helper(void) { return value; }
struct local { char c; };

int from_a(void);
int from_b(void);
extern int (*const exported)(void);

int main(void) {
    printf("%d %d %d\n", helper(), from_a(), from_b());
    value = 50;
    printf("%d %d %d\n", helper(), from_a(), from_b());
    printf("%d\n", exported());
    printf("%zu\n", sizeof(struct local));
    return 0;
}
