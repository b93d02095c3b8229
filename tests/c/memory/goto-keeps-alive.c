//@ property: all verdict: safe
//@ run: gcc
// Objects live from block entry to block exit, whatever jumps happen inside.
#include <stdio.h>

static int static_cell(int **out) {
    static int cell = 3;
    *out = &cell;
    return cell;
}

int main(void) {
    int *p = 0, rounds = 0;
    {
    again:;
        int kept;
        if (rounds == 0) {
            kept = 41;
            p = &kept;
        }
        rounds++;
        if (rounds < 3) {
            kept += rounds;
            goto again;
        }
        printf("%d %d\n", *p, p == &kept);
    }
    int *q;
    static_cell(&q);
    *q += 1;
    printf("%d\n", static_cell(&q));
    int *r;
    for (int i = 0; i < 2; i++) {
        int inner[2] = {i, i + 1};
        r = inner;
        printf("%d ", r[0] + r[1]);
    }
    puts("");
    goto inside;
    {
        int x;
    inside:
        x = 9;
        int *px = &x;
        printf("%d\n", *px);
    }
    return 0;
}
