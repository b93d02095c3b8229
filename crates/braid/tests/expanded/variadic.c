// Variable arguments, one list copied, one read too far.
#include <pthread.h>
#include <stdarg.h>
#include <assert.h>

static int sum(int n, ...) {
    va_list ap, aq;
    va_start(ap, n);
    va_copy(aq, ap);
    int s = 0;
    while (n-- > 0) s += va_arg(ap, int);
    s += va_arg(aq, int);
    va_end(ap);
    va_end(aq);
    return s;
}

int x;

static void *t(void *a) {
    x = sum(3, 1, 2, 3);
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    int y = sum(2, 5, 6);
    pthread_join(p, 0);
    assert(x == 7 && y == 16);
    return sum(2, 1);
}
