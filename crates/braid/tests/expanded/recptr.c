// Recursion through tables of functions, constant and not.
#include <pthread.h>
#include <assert.h>

typedef int (*fn)(int, void *);

struct ops {
    fn f, g;
};
static int even(int n, void *p);
static int odd(int n, void *p);
static const struct ops table = { even, odd };
static struct ops dyn;

static int even(int n, void *p) {
    struct ops *o = p;
    return n == 0 ? 1 : o->g(n - 1, p);
}

static int odd(int n, void *p) {
    struct ops *o = p;
    return n == 0 ? 0 : o->f(n - 1, p);
}

static int r;

static void *t(void *a) {
    r = even(3, a);
    return 0;
}

int main(void) {
    pthread_t p;
    dyn = table;
    pthread_create(&p, 0, t, &dyn);
    int k = even(4, (void *)&table);
    pthread_join(p, 0);
    assert(k == 1);
    assert(r == 0);
    dyn.f = 0;
    return even(2, &dyn);
}
