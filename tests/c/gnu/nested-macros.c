//@ property: all verdict: safe
//@ run: gcc
// Kernel-style macros: min/max with type checks, rounding, array size, loops over lists.
#include <stdio.h>

#define min(x, y) ({ __typeof__(x) min1_ = (x); __typeof__(y) min2_ = (y); (void)(&min1_ == &min2_); min1_ < min2_ ? min1_ : min2_; })
#define clamp(v, lo, hi) min((typeof(v))({ typeof(v) c_ = (v); c_ < (lo) ? (lo) : c_; }), (typeof(v))(hi))
#define BUILD_BUG_ON_ZERO(e) ((int)sizeof(struct { int : (-!!(e)); }))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]) + BUILD_BUG_ON_ZERO(__builtin_types_compatible_p(typeof(a), typeof(&(a)[0]))))
#define round_up(x, y) ((((x) - 1) | ((__typeof__(x))((y) - 1))) + 1)
#define for_each(type, it, array) for (type *it = (array); it < (array) + ARRAY_SIZE(array); it++)
#define likely(x) __builtin_expect(!!(x), 1)
#define swap(a, b) do { typeof(a) tmp_ = (a); (a) = (b); (b) = tmp_; } while (0)
#define max_of(first, ...) ({ \
    typeof(first) list_[] = {first, __VA_ARGS__}, best_ = list_[0]; \
    for (unsigned i_ = 1; i_ < ARRAY_SIZE(list_); i_++) \
        if (list_[i_] > best_) best_ = list_[i_]; \
    best_; })

int main(void) {
    int a[] = {5, 3, 9, 1};
    printf("%d %d\n", min(a[0], a[1]), clamp(50, 0, 10));
    printf("%zu %d %lu\n", ARRAY_SIZE(a), round_up(13, 8), round_up(17ul, 16));
    int sum = 0;
    for_each(int, it, a) {
        if (likely(*it > 2))
            sum += *it;
    }
    printf("%d\n", sum);
    swap(a[0], a[3]);
    printf("%d %d\n", a[0], a[3]);
    printf("%d %g\n", max_of(3, 8, 5), max_of(1.5, 0.5, 2.5, -1.0));
    printf("%d\n", BUILD_BUG_ON_ZERO(0));
    return 0;
}
