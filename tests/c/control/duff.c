//@ property: all verdict: safe
//@ run: gcc
// Duff's device and other cases inside loops.
#include <stdio.h>

static void copy(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

/* A coroutine by switch: yields 0, 1, 4, 9, ... and then -1. */
static int squares(int *state, int *i) {
    switch (*state) {
    case 0:
        for (*i = 0; *i < 4; ++*i) {
            *state = 1;
            return *i * *i;
    case 1:;
        }
    }
    *state = 2;
    return -1;
}

int main(void) {
    const char *text = "the quick brown fox jumps";
    for (int n = 1; n <= 25; n += 4) {
        char out[32] = {0};
        copy(out, text, n);
        puts(out);
    }
    int state = 0, i, v;
    do
        printf("%d ", v = squares(&state, &i));
    while (v >= 0);
    puts("");
    return 0;
}
