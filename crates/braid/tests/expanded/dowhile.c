// Loops whose test is at the end, or in the middle.
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>

atomic_int a, b;
int c;

static void *t(void *x) {
    int i = 0;
    do {
        i++;
        if (a == 2) break;
    } while (b < 2 && i < 5);
    c = i;
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    a = 1;
    b = 1;
    a = 2;
    b = 2;
    pthread_join(p, 0);
    assert(c < 5);
    for (;;) {
        if (c > 2) return 1;
        c++;
    }
}
