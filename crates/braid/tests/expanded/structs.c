// Records that are passed and returned.
#include <pthread.h>
#include <assert.h>

struct s {
    int a;
    char b[6];
    long c;
};

static struct s make(int n) {
    struct s r = { n, "ab", n * 2 };
    if (n > 3) return make(n - 1);
    return r;
}

static struct s g;

static void *t(void *a) {
    g = make(5);
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    struct s l = make(2);
    pthread_join(p, 0);
    assert(l.c == 4 && g.a == 3 && g.b[1] == 'b');
    assert(g.c == 7);
    return 0;
}
