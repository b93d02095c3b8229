//@ property: all verdict: safe
//@ run: gcc
// Static locals keep their value; each function, block and recursion level shares or owns its own.
#include <stdio.h>

static int counter(void) {
    static int n = 10;
    return n++;
}
static int blocks(int which) {
    if (which) {
        static int n = 100;
        return ++n;
    } else {
        static int n = 200;
        return ++n;
    }
}
static int nested(int depth) {
    static int calls;
    calls++;
    return depth ? nested(depth - 1) : calls;
}
static int *address(void) {
    static int cell[2] = {1, 2};
    cell[0] += 5;
    return cell;
}
static const char *label(int n) {
    static char buffer[16];
    static const char *const names[] = {"small", "large"};
    snprintf(buffer, sizeof buffer, "%s-%d", names[n > 9], n);
    return buffer;
}

int main(void) {
    counter();
    counter();
    printf("%d\n", counter());
    blocks(0);
    blocks(1);
    printf("%d ", blocks(0));
    printf("%d\n", blocks(1));
    nested(3);
    printf("%d\n", nested(2));
    int *p = address();
    p[1] = 50;
    printf("%d ", address()[1]);
    printf("%d\n", *p);
    printf("%s ", label(5));
    printf("%s\n", label(50));
    for (int i = 0; i < 3; i++) {
        static int seen;
        int fresh = 0;
        printf("%d%d ", seen++, fresh++);
    }
    puts("");
    return 0;
}
