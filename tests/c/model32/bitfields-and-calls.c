//@ property: all verdict: safe
//@ flags: --32
// Bit-field layout, variadic calls and structs by value under ILP32.
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
#define CHECK(c) ((c) ? (void)0 : __assert_fail(#c, __FILE__, __LINE__, __func__))

struct bits { unsigned a : 3; long b : 20; long long c : 40; char d : 4; };
struct big { long long v[3]; char tail; };

static long long sum(int n, ...) {
    __builtin_va_list ap;
    __builtin_va_start(ap, n);
    long long s = 0;
    for (int i = 0; i < n; i++)
        s += i % 2 ? __builtin_va_arg(ap, long long) : __builtin_va_arg(ap, long);
    s += (long long)__builtin_va_arg(ap, double);
    __builtin_va_end(ap);
    return s;
}
static struct big shift(struct big b, long by) {
    for (int i = 0; i < 3; i++)
        b.v[i] += by;
    return b;
}

int main(void) {
    CHECK(sizeof(struct bits) == 12);
    struct bits b = {5, -3, 1ll << 38, -1};
    CHECK(b.a == 5 && b.b == -3 && b.c == 1ll << 38 && b.d == -1);
    b.b = 1 << 19;
    CHECK(b.b == -(1 << 19) && b.a == 5);
    CHECK(sum(4, 1l, 1ll << 33, -5l, -2ll, 7.5) == (1ll << 33) + 1);
    CHECK(sizeof(struct big) == 28);
    struct big x = shift((struct big){{1, 2, 1ll << 35}, 't'}, 10);
    CHECK(x.v[0] == 11 && x.v[2] == (1ll << 35) + 10 && x.tail == 't');
    enum e { BIG = 0x7fffffff } e = BIG;
    CHECK(sizeof e == 4 && e > 0);
    int i = 70000;
    long n[i / 10000];
    CHECK(sizeof n == 28);
    return 0;
}
