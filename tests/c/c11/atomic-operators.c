//@ property: all verdict: safe
//@ run: gcc
// _Atomic objects under ordinary operators.
#include <stdio.h>

static _Atomic int global = 1;
static _Atomic(unsigned char) byte = 250;
struct s { _Atomic long l; _Atomic _Bool b; int *_Atomic p; };

int main(void) {
    global++;
    ++global;
    int old = global--;
    printf("%d %d\n", old, global);
    global += 10;
    global -= 3;
    global *= 5;
    global /= 2;
    global %= 16;
    global <<= 2;
    global >>= 1;
    global |= 0x100;
    global ^= 0x3;
    global &= ~1;
    printf("%d\n", global);
    byte += 10;
    printf("%d\n", byte);
    byte--;
    int result = byte -= 5;
    printf("%d %d\n", byte, result);
    int array[4] = {1, 2, 3, 4};
    struct s s = {5, 3, array};
    s.l = s.l * 2;
    s.p++;
    s.p += 1;
    printf("%ld %d %d\n", s.l, s.b, *s.p);
    *s.p = 9;
    printf("%d %td\n", array[2], s.p - array);
    _Atomic int *pa = &global;
    *pa = 7;
    printf("%d %d\n", *pa + 1, -*pa);
    int copy = global, *plain = &copy;
    printf("%d\n", *plain);
    printf("%zu\n", sizeof(_Atomic char));
    _Atomic short sh = 32767;
    sh++;
    printf("%d\n", sh);
    return 0;
}
