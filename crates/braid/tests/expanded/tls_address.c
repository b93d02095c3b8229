// The address of another thread's instance of a variable.
#include <assert.h>
#include <pthread.h>

static __thread int v = 4;

static void *t(void *a) {
    return a == &v ? 0 : &v;
}

int main(void) {
    pthread_t p;
    void *r;
    v = 6;
    pthread_create(&p, 0, t, &v);
    pthread_join(p, &r);
    assert(v == 6);
    assert(r == 0);
    return 0;
}
