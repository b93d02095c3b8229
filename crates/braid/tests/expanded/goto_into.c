// A jump into a loop.
#include <pthread.h>
#include <assert.h>

int x, y;

static int f(int n) {
    int s = 0, i = 0;
    if (n & 1) goto mid;
    for (i = 0; i < 3; i++) {
        s += 10;
        mid: s += 1;
        if (s > 100) goto out;
    }
    out: return s;
}

static void *t(void *a) {
    x = f(1);
    y = f(x);
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    int z = f(2);
    pthread_join(p, 0);
    assert(x + z < 60);
    assert(y != 33);
    return 0;
}
