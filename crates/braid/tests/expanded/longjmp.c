// A jump out of several calls.
#include <pthread.h>
#include <setjmp.h>
#include <assert.h>

int x;
static jmp_buf b;

static void deep(int n) {
    if (n == 0) longjmp(b, 7);
    deep(n - 1);
}

static void *t(void *a) {
    x++;
    return 0;
}

int main(void) {
    pthread_t p;
    volatile int k = 0;
    int r = setjmp(b);
    if (r == 0) {
        pthread_create(&p, 0, t, 0);
        deep(3);
    }
    k++;
    x++;
    pthread_join(p, 0);
    assert(r == 7 && k == 1);
    assert(x == 2);
    return 0;
}
