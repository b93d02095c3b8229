//@ property: all verdict: safe
//@ run: gcc
// Conway's game of life on a torus, with two boards swapped by pointer.
#include <stdio.h>
#include <string.h>

enum { H = 8, W = 10 };
typedef unsigned char board[H][W];

static void step(board from, board to) {
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dy || dx)
                        n += from[(y + dy + H) % H][(x + dx + W) % W];
            to[y][x] = n == 3 || (n == 2 && from[y][x]);
        }
}
static void show(board b) {
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++)
            putchar(".#"[b[y][x]]);
        putchar('\n');
    }
}

int main(void) {
    static board boards[2] = {{{0, 1}, {0, 0, 1}, {1, 1, 1}, [5] = {[5 ... 7] = 1}}};
    unsigned char(*now)[W] = boards[0], (*next)[W] = boards[1];
    for (int i = 0; i < 17; i++) {
        step(now, next);
        unsigned char(*t)[W] = now;
        now = next;
        next = t;
    }
    show(now);
    int alive = 0;
    for (unsigned i = 0; i < sizeof boards; i++)
        alive += ((unsigned char *)boards)[i];
    printf("%d %d\n", alive, memcmp(boards[0], boards[1], sizeof(board)) != 0);
    return 0;
}
