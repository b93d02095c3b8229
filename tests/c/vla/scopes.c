//@ property: all verdict: safe
//@ run: gcc
// VLAs left by break, continue, goto and return; a fresh one in every iteration.
#include <stdio.h>

static int search(int n) {
    for (int len = 1;; len++) {
        int a[len];
        for (int i = 0; i < len; i++)
            a[i] = i * len;
        if (len % 2)
            continue;
        if (a[len - 1] > n)
            return a[len - 1];
        if (len > 100)
            break;
    }
    return -1;
}

int main(void) {
    printf("%d %d\n", search(10), search(1000));
    int round = 0;
again:;
    char text[round + 2];
    text[round] = 'x';
    text[round + 1] = 0;
    for (int i = 0; i < round; i++)
        text[i] = '.';
    puts(text);
    if (++round < 4)
        goto again;
    int total = 0;
    for (int i = 1; i <= 300; i++) {
        int block[i * 10];
        block[0] = block[i * 10 - 1] = i;
        total += block[0] + block[i * 10 - 1];
    }
    printf("%d\n", total);
    switch (round) {
    case 4: {
        int inside[round];
        inside[3] = 5;
        printf("%d\n", inside[3]);
    }
    }
    return 0;
}
