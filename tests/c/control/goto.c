//@ property: all verdict: safe
//@ run: gcc
// Jumps forward, backward, out of and into blocks.
#include <stdio.h>

static int find(int n) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            for (int k = 1; k < n; k++)
                if (i * i + j * j == k * k && i + j + k > 20) {
                    n = i * 10000 + j * 100 + k;
                    goto found;
                }
    return -1;
found:
    return n;
}
static int cleanup(int fail_at) {
    int done = 0;
    if (fail_at == 1)
        goto out;
    done |= 1;
    if (fail_at == 2)
        goto undo_one;
    done |= 2;
    if (fail_at == 3)
        goto undo_two;
    return done;
undo_two:
    done |= 16;
undo_one:
    done |= 32;
out:
    return done;
}

int main(void) {
    printf("%d %d\n", find(20), find(5));
    for (int i = 0; i < 5; i++)
        printf("%d ", cleanup(i));
    puts("");
    int n = 0;
top:
    if (n < 5) {
        printf("%d", n++);
        goto top;
    }
    puts("");
    n = 0;
    goto inside;
    while (n < 3) {
        printf("body ");
    inside:
        printf("in%d ", n);
        n++;
    }
    puts("");
    goto skip;
    puts("never");
skip:
    {
        int local;
        goto into;
        local = 1;
    into:
        local = 2;
        printf("%d\n", local);
    }
    if (0) {
    hidden:
        puts("in a dead branch");
        return 0;
    }
    goto hidden;
}
