// Jumps through a table of labels.
#include <assert.h>
#include <pthread.h>

int x;

static int run(const char *p) {
    static void *ops[] = { &&inc, &&dbl, &&end };
    int v = 1;
    goto *ops[*p++];
    inc: v++;
    goto *ops[*p++];
    dbl: v *= 2;
    goto *ops[*p++];
    end: return v;
}

static void *t(void *a) {
    x = run("\0\1\1\2");
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    pthread_join(p, 0);
    assert(x == 8);
    assert(run("\1\2") == 3);
    return 0;
}
