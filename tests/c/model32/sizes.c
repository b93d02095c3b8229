//@ property: all verdict: safe
//@ flags: --32
// ILP32: int, long and pointers have 4 bytes; long long and double align to 4 in records.
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
#define CHECK(c) do { _Static_assert(c, #c); if (!(c)) __assert_fail(#c, __FILE__, __LINE__, __func__); } while (0)

struct a { char c; long long l; };
struct b { char c; double d; char e; };
struct c { char c; void *p; long l; short s; };
struct d { short s; __attribute__((aligned(8))) char c; };
union u { long long l; char c[9]; };

int main(void) {
    CHECK(sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4);
    CHECK(sizeof(long) == 4 && sizeof(long long) == 8);
    CHECK(sizeof(void *) == 4 && sizeof(int (*)(void)) == 4);
    CHECK(sizeof(float) == 4 && sizeof(double) == 8 && sizeof(long double) == 12);
    CHECK(sizeof(sizeof(int)) == 4 && sizeof((char *)0 - (char *)0) == 4);
    CHECK(sizeof(struct a) == 12 && __builtin_offsetof(struct a, l) == 4);
    CHECK(sizeof(struct b) == 16 && __builtin_offsetof(struct b, e) == 12);
    CHECK(sizeof(struct c) == 16 && __builtin_offsetof(struct c, s) == 12);
    CHECK(sizeof(struct d) == 16 && sizeof(union u) == 12);
    CHECK(__alignof__(struct a) == 4 && _Alignof(long double) == 4);
    CHECK(__alignof__(long long) == 8 && __alignof__(double) == 8);
    CHECK(sizeof(int[10]) == 40 && sizeof(char *[3]) == 12);
    return 0;
}
