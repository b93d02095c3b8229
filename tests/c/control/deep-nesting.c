//@ property: all verdict: safe
//@ run: gcc
// Many levels of blocks, loops, switches and conditions, left from the inside.
#include <stdio.h>

static int dig(int n) {
    int trace = 0;
    for (int a = 0; a < n; a++) {
        while (trace < 1000) {
            do {
                switch (a % 4) {
                case 0: {
                    if (trace % 2 == 0) {
                        trace += 3;
                        break;
                    } else if (trace % 3) {
                        trace += 5;
                        goto next;
                    }
                    trace += 7;
                    continue;
                }
                case 1:
                    for (int b = 0;; b++) {
                        if (b == 3)
                            goto done;
                        trace += b ? b : 1;
                        if (trace > 500)
                            return -trace;
                    }
                done:
                    break;
                default:
                    trace += (a & 1) ? ({ int t = a; while (t > 1) t -= 2; t; }) : 2;
                }
            } while (trace % 5 == 0);
            break;
        }
    next:
        trace++;
    }
    return trace;
}

int main(void) {
    for (int i = 0; i < 12; i++)
        printf("%d ", dig(i));
    puts("");
    printf("%d\n", dig(400));
    return 0;
}
