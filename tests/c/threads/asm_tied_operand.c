//@ property: all verdict: safe
//@ run: gcc
// An input that shares the register of an output is what the output becomes.
#include <assert.h>
#include <pthread.h>

static int value = 3;

static void *work(void *arg) {
    int *p = 0, x = 1, y = 2;
    asm("" : "=r"(p) : "0"(&value));
    asm("" : "=r"(x), "=r"(y) : "0"(y), "1"(x));
    assert(*p == 3 && x == 2 && y == 1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
