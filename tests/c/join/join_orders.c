//@ property: all verdict: safe
//@ run: gcc
// After the join nothing of the thread can interfere: no race, no lock needed.
#include <assert.h>
#include <pthread.h>

static int x;

static void *add(void *arg) {
    x += (int)(long)arg;
    return 0;
}

int main(void) {
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, add, (void *)2);
    pthread_join(t, 0);
    x += 4;
    pthread_create(&t, 0, add, (void *)8);
    pthread_join(t, 0);
    assert(x == 15);
    return 0;
}
