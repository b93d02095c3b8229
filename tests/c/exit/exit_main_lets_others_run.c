//@ property: assertion verdict: unsafe line: 10
//@ property: deadlock,lock-misuse,memory verdict: safe
// pthread_exit in main ends main only: who waits for main goes on then.
#include <assert.h>
#include <pthread.h>

static void *work(void *main_thread) {
    pthread_join(*(pthread_t *)main_thread, 0);

    assert(0);
    return 0;
}

int main(void) {
    static pthread_t self;
    self = pthread_self();
    pthread_t t;
    pthread_create(&t, 0, work, &self);
    pthread_exit(0);
}
