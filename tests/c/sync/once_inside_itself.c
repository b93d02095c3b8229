//@ property: deadlock verdict: unsafe
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
//@ model: __pthread_once
// A routine that waits for its own end.
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;

static void init(void) {
    pthread_once(&control, init);
}

int main(void) {
    pthread_once(&control, init);
    return 0;
}
