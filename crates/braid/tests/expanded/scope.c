// The address of an object whose scope was left.
#include <pthread.h>

static int x;

static void *t(void *a) {
    x = 3;
    return 0;
}

int main(void) {
    pthread_t p;
    int *q;
    pthread_create(&p, 0, t, 0);
    {
        int in = 3;
        q = &in;
    }
    pthread_join(p, 0);
    return *q;
}
