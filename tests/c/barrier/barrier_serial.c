//@ property: all verdict: safe
//@ run: gcc
// Exactly one thread of each round is the serial one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;

static void *work(void *arg) {
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result)
        serial++;
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&barrier, 0, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    work(0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(serial == 1);
    return 0;
}
