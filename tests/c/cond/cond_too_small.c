//@ property: out-of-bounds verdict: unsafe line: 11
//@ property: assertion,data-race verdict: safe
// The parameter hides the condition variable of the same name, and its 8 bytes are none.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *wait(void *c) {
    pthread_mutex_lock(&m);
    pthread_cond_wait((void *)&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, wait, 0);
    pthread_cond_signal(&c);
    return 0;
}
