//@ property: all verdict: safe
// Atomic floating objects under compound operators (natively these need libatomic).
#include <assert.h>

int main(void) {
    _Atomic double d = 1.5;
    d += 2;
    assert(d == 3.5);
    d *= 2;
    d++;
    assert(d == 8);
    double old = d--;
    assert(old == 8 && d == 7);
    _Atomic float f = 0.5f;
    f -= 2;
    assert(f == -1.5f);
    f /= 0.5;
    assert(f == -3);
    _Atomic int i = 3;
    i *= 1.5;
    assert(i == 4);
    return 0;
}
