//@ property: all verdict: safe
//@ run: gcc
// Direct, mutual and deep recursion; locals of each call are its own.
#include <stdio.h>

static int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int hanoi(int n, char from, char to, char via, int print) {
    if (n == 0)
        return 0;
    int moves = hanoi(n - 1, from, via, to, print);
    if (print)
        printf("%c%c ", from, to);
    return moves + 1 + hanoi(n - 1, via, to, from, print);
}
static int depth(int n, int *previous) {
    int here = n;
    if (previous && *previous != n + 1)
        return -1;
    return n == 0 ? 0 : 1 + depth(n - 1, &here);
}
static void permute(char *s, int at, int *count) {
    if (!s[at]) {
        if ((*count)++ % 5 == 0)
            printf("%s ", s);
        return;
    }
    for (int i = at; s[i]; i++) {
        char t = s[at]; s[at] = s[i]; s[i] = t;
        permute(s, at + 1, count);
        t = s[at]; s[at] = s[i]; s[i] = t;
    }
}

int main(void) {
    printf("%d\n", ackermann(2, 5));
    printf("%d %d\n", is_even(1001), is_odd(1001));
    printf("%d\n", hanoi(3, 'A', 'C', 'B', 1));
    printf("%d\n", hanoi(12, 'A', 'C', 'B', 0));
    printf("%d\n", depth(3000, 0));
    char text[] = "abcd";
    int count = 0;
    permute(text, 0, &count);
    printf("%d\n", count);
    return 0;
}

//@ known: order all unknown(recursion-bound)
