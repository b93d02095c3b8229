// Switches in loops, with continue and fall-through.
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>

atomic_int g;

static int step(int k) {
    int r = 0;
    for (int i = 0; i < 4; i++) {
        switch ((k + i) % 4) {
            case 0: r += 1;
            case 1: r += 2;
            continue;
            case 2: break;
            default: r *= 3;
        }
        r++;
    }
    return r;
}

static void *t(void *a) {
    int n = (int)(long)a;
    while (n--) {
        switch (n) {
            case 2: g++;
            break;
            case 1: g += step(1);
            continue;
            case 0: g += step(g);
        }
        g += 100;
    }
    return 0;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, t, (void *)3L);
    pthread_create(&q, 0, t, (void *)2L);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(g != 341);
    assert(g > 300);
    return 0;
}
