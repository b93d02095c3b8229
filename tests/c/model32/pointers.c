//@ property: all verdict: safe
//@ flags: --32
// Pointers fit in int and long; differences are int; round trips through integers.
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
#define CHECK(c) ((c) ? (void)0 : __assert_fail(#c, __FILE__, __LINE__, __func__))

struct node { struct node *next; int v; };
static int numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static unsigned as_integer = (unsigned)&numbers[3];
static int twice(int x) { return x * 2; }
static int (*table[2])(int) = {twice, 0};

int main(void) {
    int n = (int)&numbers[2];
    CHECK(*(int *)n == 2);
    CHECK(*(int *)as_integer == 3);
    long l = (long)numbers + 5 * sizeof(int);
    CHECK(*(int *)l == 5);
    CHECK(&numbers[7] - &numbers[1] == 6);
    CHECK(sizeof(struct node) == 8);
    struct node b = {0, 2}, a = {&b, 1};
    CHECK(a.next->v == 2);
    unsigned *raw = (unsigned *)&a;
    CHECK(((struct node *)raw[0])->v == 2 && raw[1] == 1);
    CHECK(table[0](21) == 42 && table[1] == 0 && sizeof table == 8);
    char *bytes = (char *)&numbers[1];
    CHECK(bytes[0] == 1 && bytes[4] == 2);
    union { void *p; unsigned u; char c[4]; } pun = {&a};
    CHECK(pun.u == (unsigned)&a && sizeof pun == 4);
    unsigned long long wide = (unsigned)&a;
    CHECK(((struct node *)(unsigned)wide)->v == 1);
    return 0;
}
