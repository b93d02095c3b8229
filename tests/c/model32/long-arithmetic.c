//@ property: all verdict: safe
//@ flags: --32
// long has 32 bits: unsigned long wraps there, long long does not.
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
#define CHECK(c) ((c) ? (void)0 : __assert_fail(#c, __FILE__, __LINE__, __func__))

static unsigned long wrap(unsigned long x, unsigned long y) { return x + y; }
static long long widen(long x) { return x; }
static unsigned long long product(unsigned x, unsigned y) { return (unsigned long long)x * y; }

int main(void) {
    CHECK(wrap(0xffffffff, 2) == 1);
    CHECK(wrap(0, -1) == 4294967295u);
    CHECK(widen(-5) == -5ll);
    CHECK(product(0xffffffff, 0xffffffff) == 0xfffffffe00000001ull);
    unsigned long ul = 1ul << 31;
    CHECK(ul << 1 == 0);
    long minus = -1;
    unsigned one = 1;
    CHECK(minus > one);
    CHECK((long long)minus < one);
    CHECK((unsigned long)minus == 0xffffffff);
    CHECK(_Generic(2147483648, long long: 1, default: 0));
    CHECK(_Generic(0x80000000, unsigned: 1, default: 0));
    CHECK(_Generic(4294967296u, unsigned long long: 1, default: 0));
    CHECK(_Generic(1l + 1u, unsigned long: 1, default: 0));
    CHECK(_Generic(sizeof(int), unsigned: 1, default: 0));
    long sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += i;
    CHECK(sum == 499500);
    unsigned long hash = 5381;
    for (const char *p = "thirty-two bits"; *p; p++)
        hash = hash * 33 + *p;
    CHECK(hash == (unsigned)hash);
    long long big = 1ll << 40;
    CHECK((long)big == 0 && big >> 38 == 4);
    return 0;
}
