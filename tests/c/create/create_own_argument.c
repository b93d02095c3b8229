//@ property: all verdict: safe
//@ run: gcc
// Every thread gets an object of its own.
#include <assert.h>
#include <pthread.h>

static void *square(void *arg) {
    int *n = arg;
    *n *= *n;
    return 0;
}

int main(void) {
    pthread_t t[3];
    int n[3] = {2, 3, 4};
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, square, &n[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(n[0] == 4 && n[1] == 9 && n[2] == 16);
    return 0;
}
