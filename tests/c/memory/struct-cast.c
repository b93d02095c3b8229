//@ property: out-of-bounds verdict: unsafe line: 8
// A small struct viewed as a larger one.
struct small { int a, b; };
struct large { int a, b, c; };

static int sum(const void *p) {
    const struct large *l = p;
    return l->a + l->b + l->c;
}

int main(void) {
    struct large l = {1, 2, 3};
    struct small s = {1, 2};
    if (sum(&l) != 6)
        return 1;
    return sum(&s);
}
