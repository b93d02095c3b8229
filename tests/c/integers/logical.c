//@ property: all verdict: safe
//@ run: gcc
// && and || stop early and give 0 or 1; the same for !, comparisons and ?:.
#include <stdio.h>

static int log_value(int x) {
    printf("[%d]", x);
    return x;
}

int main(void) {
    int r = log_value(0) && log_value(1);
    printf(" %d\n", r);
    r = log_value(2) && log_value(4);
    printf(" %d\n", r);
    r = log_value(0) || log_value(8);
    printf(" %d\n", r);
    r = log_value(3) || log_value(9);
    printf(" %d\n", r);
    r = log_value(0) && log_value(1) || log_value(5) && !log_value(0);
    printf(" %d\n", r);
    r = log_value(1) ? log_value(10) : log_value(20);
    printf(" %d\n", r);
    double half = 0.5;
    char *null = 0;
    printf("%d %d %d %d\n", !half, !!half, half && 1, !null);
    printf("%d %d\n", !0.0, !-0.0);
    printf("%d %d\n", 3 > 2 > 1, (5 == 5) + (4 != 4));
    printf("%d %d %d\n", 1 & 2, 1 && 2, 1 | 2);
    unsigned long long high = 1ull << 40;
    if (high)
        puts("high bits count");
    printf("%d\n", (_Bool)high);
    int n = 0;
    (void)(n && n++);
    (void)(!n && n++);
    printf("%d\n", n);
    return 0;
}
