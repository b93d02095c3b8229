// Loops that wait, with calls in their conditions.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int f, g;

static int ready(void) {
    return f;
}

static int never(void) {
    return 0;
}

static void *t(void *a) {
    while (!ready()) {
        if (never()) break;
    }
    g = 1;
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    while (!g) if (f == 7) f = 1;
    pthread_join(p, 0);
    return 0;
}
