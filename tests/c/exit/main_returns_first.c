//@ property: assertion verdict: unsafe line: 10
//@ property: data-race,deadlock,lock-misuse verdict: safe
//@ model: exit
// When main returns, the program ends and the threads with it; but a thread may be faster.
#include <assert.h>
#include <pthread.h>

static void *late(void *arg) {
    pthread_t self = pthread_self();
    assert(0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, late, 0);
    return 0;
}
