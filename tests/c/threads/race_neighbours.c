//@ property: all verdict: safe
//@ run: gcc
// Neighbouring elements and members are different memory.
#include <assert.h>
#include <pthread.h>

static struct {
    char a, b;
    short c[2];
} s;

static void *left(void *arg) {
    s.a = 1;
    s.c[0] = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, left, 0);
    s.b = 3;
    s.c[1] = 4;
    pthread_join(t, 0);
    assert(s.a == 1 && s.b == 3 && s.c[0] == 2 && s.c[1] == 4);
    return 0;
}
