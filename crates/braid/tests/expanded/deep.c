// Recursion of known depth, and of unknown depth.
#include <assert.h>
#include <pthread.h>

static int x;

static int down(int n, int k) {
    if (n == 0) return k;
    return down(n - 1, k + n);
}

static void *t(void *a) {
    x = down(150, 1);
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    pthread_join(p, 0);
    assert(x == 11326);
    assert(down(x & 1, 0) == 1);
    return 0;
}
