//@ property: all verdict: safe
//@ run: gcc
// Signed bit-fields sign-extend; storing keeps the low bits.
#include <stdio.h>

struct s {
    int one : 1;
    int three : 3;
    signed int seven : 7;
    long long forty : 40;
    short eleven : 11;
    signed char four : 4;
};

int main(void) {
    struct s s = {-1, 3, -64, -1, 1023, 7};
    printf("%d %d %d %lld %d %d\n", s.one, s.three, s.seven, (long long)s.forty, s.eleven, s.four);
    s.one = 1;
    s.three = 4;
    s.seven = 64;
    s.forty = 1ll << 39;
    s.eleven = 1024;
    s.four = 8;
    printf("%d %d %d %lld %d %d\n", s.one, s.three, s.seven, (long long)s.forty, s.eleven, s.four);
    for (int i = 0; i < 16; i++) {
        s.three = i;
        printf("%d ", s.three);
    }
    puts("");
    s.three = 3;
    s.three++;
    printf("%d\n", s.three);
    s.four = -8;
    s.four--;
    printf("%d\n", s.four);
    int assigned = s.three = 5;
    printf("%d %d\n", assigned, s.three);
    printf("%d\n", s.one == 1);
    s.seven = 100 - 200;
    printf("%d\n", s.seven);
    return 0;
}
