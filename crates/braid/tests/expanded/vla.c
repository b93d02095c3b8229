// Arrays of variable length in loops, and blocks of the stack that outlive a call.
#include <pthread.h>
#include <assert.h>
#include <alloca.h>

static int sum(int n) {
    int a[n];
    for (int i = 0; i < n; i++) a[i] = i;
    int s = 0;
    for (int i = 0; i < n; i++) {
        int b[i + 1];
        b[i] = a[i];
        if (i == 2) continue;
        s += b[i];
    }
    return s;
}

static int *keep(int n) {
    int *p = alloca(n * 4);
    *p = 3;
    if (n > 2) {
        int *q = alloca(8);
        *q = 4;
        return q;
    }
    return p;
}

static int bad;

static void *t(void *a) {
    bad = sum(4);
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    int s = sum(3);
    pthread_join(p, 0);
    assert(s == 1 && bad == 4);
    int *k = keep(3);
    return *k;
}
