// Arguments that are missing, too many or of another type; results that nobody returns.
#include <pthread.h>
#include <assert.h>

static int two(a, b) int a, b;

{
    return a + b;
}

static void none(int a) {
    (void)a;
}

static short narrow(char c, float f) {
    return (short)(c + (int)f);
}

int g;

static void *t(void *a) {
    g = ((int (*)(int))narrow)(300);
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    int r = ((int (*)(int))none)(3);
    int (*q)() = two;
    r += q(1);
    pthread_join(p, 0);
    assert(r != 1);
    return 0;
}
