//@ property: all verdict: safe
//@ run: gcc
// __label__, __extension__, alternate keywords, __func__, old designators, binary literals, empty asm.
#include <stdio.h>

#define FIRST_NEGATIVE(a, n) ({ \
    __label__ out; \
    int r_ = -1; \
    for (int i_ = 0; i_ < (n); i_++) \
        if ((a)[i_] < 0) { r_ = i_; goto out; } \
    out: r_; })

struct old { int x, y; };
static __inline__ int __attribute__((__always_inline__)) alternate(__const int *__restrict p) {
    __volatile__ int v = *p;
    __signed__ char c = -1;
    return v + c;
}
static const char *where(void) { return __func__; }

int main(void) {
    int a[] = {1, -2, 3}, b[] = {1, 2, 3};
    printf("%d %d\n", FIRST_NEGATIVE(a, 3), FIRST_NEGATIVE(b, 3));
    printf("%d\n", alternate(&a[2]));
    printf("%s %s %s\n", where(), __func__, __FUNCTION__);
    printf("%zu\n", sizeof __func__);
    struct old o = {y : 5, x : 4};
    int sparse[4] = {[2] 7};
    printf("%d %d %d\n", o.x, o.y, sparse[2]);
    printf("%d\n", 0b1010);
    __extension__ long long ll = __extension__ 5ll;
    asm volatile("" ::: "memory");
    __asm__ __volatile__("" : : : "memory");
    asm("");
    printf("%lld %zu %zu\n", ll, __alignof__(double), __alignof__(a));
    printf("%d%%\n", 50);
    int zero[0];
    printf("%zu\n", sizeof zero);
    int dollar$name = 3;
    printf("%d\n", dollar$name);
    return 0;
}
