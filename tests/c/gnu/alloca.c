//@ property: all verdict: safe
//@ run: gcc
//@ model: alloca
// Blocks on the stack: each call its own, all gone with the function.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int sum(int n) {
    int *parts = alloca(n * sizeof *parts), total = 0;
    for (int i = 0; i < n; i++)
        parts[i] = i;
    for (int i = 0; i < n; i++) {
        char *text = alloca(4);
        strcpy(text, "abc");
        total += parts[i] + (text[2] == 'c');
    }
    return total;
}

int main(void) {
    printf("%d %d\n", sum(3), sum(4));
    return 0;
}
