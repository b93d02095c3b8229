//@ property: all verdict: safe
// Maximum and minimum, signed and unsigned, of Clang's families.
#include <assert.h>

int main(void) {
    int s = -1;
    unsigned u = 5;
    assert(__sync_fetch_and_max(&s, 3) == -1 && s == 3);
    assert(__sync_fetch_and_min(&s, -7) == 3 && s == -7);
    assert(__sync_fetch_and_umax(&u, 9u) == 5 && u == 9);
    assert(__sync_fetch_and_umin(&u, 0xffffffffu) == 9 && u == 9);
    assert(__sync_fetch_and_umax(&u, 0xffffffffu) == 9 && u == 0xffffffffu);
    assert(__atomic_fetch_max(&s, 4, 5) == -7 && s == 4);
    assert(__atomic_fetch_min(&u, 4u, 5) == 0xffffffffu && u == 4);
    return 0;
}
