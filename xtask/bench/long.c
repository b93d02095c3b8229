// A trace of 100,000 steps.
#include <assert.h>
#include <pthread.h>

int x;

static void *work(void *argument) {
    for (int i = 0; i < 100000; i++)
        x = x + 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(x != 100000);
    return 0;
}
