//@ property: all verdict: safe
//@ run: gcc
// Local variables are nobody else's business until their address leaves.
#include <assert.h>
#include <pthread.h>

static void swap(int *a, int *b) {
    int old = *a;
    *a = *b;
    *b = old;
}

static void *work(void *arg) {
    int a = 1, b = 2;
    swap(&a, &b);
    assert(a == 2 && b == 1);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
