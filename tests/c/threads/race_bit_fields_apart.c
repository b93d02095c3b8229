//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
//@ run: gcc
// A zero-width field separates them.
#include <pthread.h>

static struct {
    unsigned a : 8;
    unsigned : 0;
    unsigned b : 8;
} s;

static void *left(void *arg) {
    s.a = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, left, 0);
    s.b = 2;
    pthread_join(t, 0);
    return 0;
}
