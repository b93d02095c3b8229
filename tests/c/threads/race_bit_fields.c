//@ property: data-race verdict: unsafe
//@ property: deadlock,lock-misuse,memory verdict: safe
// Adjacent bit-fields are one memory location.
#include <pthread.h>

static struct {
    unsigned a : 8;
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
