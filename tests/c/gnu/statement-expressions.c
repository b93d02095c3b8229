//@ property: all verdict: safe
//@ run: gcc
// ({ ... }): value of the last expression, own scope, control flow in and out.
#include <stdio.h>

#define MAX(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ > b_ ? a_ : b_; })
struct pair { int a, b; };

static int early(int x) {
    int y = ({
        if (x < 0)
            return -100;
        x * 2;
    });
    return y + 1;
}

int main(void) {
    int i = 3, j = 5;
    printf("%d ", MAX(i++, j--));
    printf("%d %d\n", i, j);
    printf("%g\n", MAX(1, 2.5));
    printf("%d\n", MAX(MAX(1, 7), MAX(4, 3)));
    printf("%d %d\n", early(-1), early(10));
    int sum = ({
        int s = 0;
        for (int k = 1; k <= 10; k++)
            s += k;
        s;
    });
    printf("%d\n", sum);
    struct pair p = ({ struct pair q = {1, 2}; q.a += 10; q; });
    printf("%d %d\n", p.a, p.b);
    printf("%d\n", ({ struct pair q = {3, 4}; q; }).b);
    ({ i = 42; (void)0; });
    for (int k = 0; k < 5; k++) {
        int v = ({
            if (k == 1)
                continue;
            if (k == 3)
                break;
            k;
        });
        printf("%d ", v);
    }
    puts("");
    int *address = &*({ &i; });
    printf("%d\n", *address);
    printf("%d\n", ({ int n = 1; ({ int m = n + 1; m + n; }); }));
    char text[] = "array";
    printf("%s\n", ({ text; }));
    int cond = ({ 0; }) || ({ i > 40; });
    printf("%d\n", cond);
    ({});
    ({ ; });
    return ({ 0; });
}
