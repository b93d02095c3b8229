// A function that is an atomic section, with an object of its own and two returns.
#include <pthread.h>
#include <assert.h>

int x, y;

void __VERIFIER_atomic_both(int n) {
    x += n;
    int k[2];
    k[n & 1] = x;
    y += k[n & 1] - x + n;
    if (n > 3) return;
    x++;
    y++;
}

static void *t(void *a) {
    for (int i = 0; i < 2; i++) __VERIFIER_atomic_both(i * 4);
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    __VERIFIER_atomic_both(2);
    pthread_join(p, 0);
    assert(x == y);
    assert(x != 8);
    return 0;
}
